import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORES } from './machine.js';
import { processorTimeOf, run } from './processes.js';
import type { Figures } from './table.js';
import { temporaryDirectory } from './temporary.js';

export interface Load {
  readonly origin: string;
  /** The server's process, to measure what each request costs it. */
  readonly pid?: number;
  /** Requested in turn. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections?: number;
  readonly seconds?: number;
  /** Length of each answer's body, if all have the same: answers are checked for it. */
  readonly bodyBytes?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly megabytesPerSecond: number;
  readonly p99Ms: number;
  /** Processor time of the server for each request; NaN without its `pid`. */
  readonly microsEach: number;
}

interface Summary {
  readonly requests: number;
  readonly micros: number;
  readonly bytes: number;
  readonly p99: number;
  readonly failed: number;
  readonly wrong: number;
}

const REPORT = `
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\nsummary {"requests":%d,"micros":%d,"bytes":%d,"p99":%d,"failed":%d,"wrong":%d}\\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(99),
    e.connect + e.read + e.write + e.timeout, e.status))
end
`;
const MANY_PATHS = `
local requests, turn = {}, 0
init = function(args)
  for path in io.lines(args[1]) do requests[#requests + 1] = wrk.format('GET', path) end
end
request = function()
  turn = turn % #requests + 1
  return requests[turn]
end
`;
/** No answer here has more bytes of headers than this. */
const MAX_HEADER_BYTES = 1_500;
let home: string | undefined;
let lists = 0;

export const ratesOf = (results: readonly LoadResult[]) => results.map(({ perSecond }) => perSecond);
export const p99Of = (results: readonly LoadResult[]) => results.map(({ p99Ms }) => p99Ms);
export const microsOf = (results: readonly Pick<LoadResult, 'microsEach'>[]) =>
  results.map(({ microsEach }) => microsEach);

/** Figures by which builds are compared. */
export function figuresOf(results: readonly LoadResult[]): Figures[] {
  return [
    { what: 'rate', unit: '/s', values: ratesOf(results) },
    { what: 'processor time', unit: 'µs', values: microsOf(results) },
  ];
}

/** Loads a server from a core of its own, without pause. Fails when any answer failed, or has not the right size. */
export async function load({
  origin,
  pid,
  paths,
  headers = {},
  connections = 32,
  seconds = 2,
  bodyBytes,
}: Load): Promise<LoadResult> {
  home ??= temporaryDirectory('wrk');
  const script = join(home, paths.length === 1 ? 'one.lua' : 'many.lua');
  writeFileSync(script, paths.length === 1 ? REPORT : MANY_PATHS + REPORT);
  const first = paths.length === 1 ? (paths[0] ?? '/') : '/';
  lists += 1;
  const list = join(home, `${lists}.txt`);
  if (paths.length > 1) writeFileSync(list, `${paths.join('\n')}\n`);
  const before = pid === undefined ? Number.NaN : processorTimeOf(pid);
  const said = await run('taskset', [
    ...[
      '-c',
      CORES.load,
      'wrk',
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '20s',
      '-s',
      script,
    ],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    origin + first,
    ...(paths.length > 1 ? ['--', list] : []),
  ]);
  const summary = JSON.parse(/^summary (.*)$/m.exec(said)?.[1] ?? 'null') as Summary | null;
  if (summary === null || summary.requests === 0) throw new Error(`${origin}${first}: no answers: ${said}`);
  if (summary.failed + summary.wrong > 0) throw new Error(`${origin}${first}: failed requests: ${said}`);
  const each = summary.bytes / summary.requests;
  // Answers still on their way at the end were counted by their bytes only.
  const most = ((bodyBytes ?? 0) + MAX_HEADER_BYTES) * (1 + connections / summary.requests);
  if (bodyBytes !== undefined && (each < bodyBytes || each > most)) {
    throw new Error(`${origin}${first}: ${Math.round(each)} bytes for each answer, not ${bodyBytes}`);
  }
  return {
    perSecond: (summary.requests / summary.micros) * 1e6,
    megabytesPerSecond: summary.bytes / summary.micros,
    p99Ms: summary.p99 / 1000,
    microsEach: pid === undefined ? Number.NaN : ((processorTimeOf(pid) - before) * 1000) / summary.requests,
  };
}
