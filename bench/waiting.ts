/**
 * How long readers wait who have nothing to do with what others ask for.
 *
 *     node --import tsx bench/waiting.ts                     # all loads; words choose some: `missing search listing`
 *     BENCH_BEFORE=/path/to/other/checkout/dist/main.js node --import tsx bench/waiting.ts
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Lectern, startLectern } from './support/lectern.js';
import { ask } from './support/requests.js';
import { progress, SECONDS, whenRunAlone } from './support/script.js';
import type { Row, Section } from './support/table.js';
import { LOADS, type Load } from './waiting/loads.js';

/** Between two requests of the innocent reader, in milliseconds. */
const PAUSE_MS = 5;
/** Longer than the longest load, and than what is measured of one. */
const SECONDS_EACH = Math.max(4, SECONDS);

export async function waiting(): Promise<Section> {
  const chosen = process.argv.slice(2);
  const rows: Row[] = [];
  const builds = [
    ['this build', undefined] as const,
    ...(process.env.BENCH_BEFORE === undefined ? [] : [['before', process.env.BENCH_BEFORE] as const]),
  ];
  for (const [kind, prepare] of Object.entries(LOADS)) {
    if (chosen.length > 0 && !chosen.includes(kind)) continue;
    const measured = new Map<string, Map<string, Waits>>();
    for (const [build, main] of builds) {
      progress(`waiting: ${kind}, ${build}`);
      const { docs, fill, loads } = await prepare();
      const lectern = await startLectern({
        ...(docs && { docs }),
        ...(main && { main }),
        args: ['--search', kind === 'search' ? 'latest' : 'off'],
      });
      await fill(lectern);
      measured.set(build, await measuredOf(lectern, loads));
      await lectern.stop();
    }
    rows.push(...rowsOf(measured));
  }
  return {
    title: 'Waiting',
    note: `\`/robots.txt\`, asked for every ${PAUSE_MS} ms, while others ask without pause; ${SECONDS_EACH} s each. Times include those of the machine.`,
    rows,
  };
}

/** What a reader waited, in milliseconds. */
interface Waits {
  readonly median: number;
  readonly p99: number;
  readonly max: number;
  /** Answers to the load in a second. */
  readonly answers: number;
}

async function measuredOf(lectern: Lectern, loads: readonly Load[]): Promise<Map<string, Waits>> {
  const measured = new Map<string, Waits>();
  for (const load of loads) {
    for (const innocent of ['/robots.txt', ...(load.innocents ?? [])]) {
      const waits = await waitsDuring(lectern.origin, load, innocent);
      measured.set(innocent === '/robots.txt' ? load.what : `${load.what}: ${innocent}`, waits);
      progress(
        `  ${load.what}: ${innocent} p50 ${waits.median.toFixed(1)} p99 ${waits.p99.toFixed(1)} max ${waits.max.toFixed(1)} ms, ${waits.answers.toFixed(1)}/s`,
      );
      await sleep(200);
    }
  }
  return measured;
}

async function waitsDuring(
  origin: string,
  { paths, connections = 16, headers = {} }: Load,
  innocent: string,
): Promise<Waits> {
  const worker = new Worker(new URL('./waiting/asking.mjs', import.meta.url), {
    workerData: { origin, paths, connections, headers },
  });
  let answers = 0;
  worker.on('message', (count: number) => {
    answers = count;
  });
  await sleep(300);
  const waits: number[] = [];
  const end = performance.now() + SECONDS_EACH * 1_000;
  while (performance.now() < end) {
    const sent = performance.now();
    await ask(origin + innocent);
    waits.push(performance.now() - sent);
    await sleep(PAUSE_MS);
  }
  await worker.terminate();
  waits.sort((a, b) => a - b);
  const at = (part: number) =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99), max: at(1), answers: answers / SECONDS_EACH };
}

function rowsOf(measured: ReadonlyMap<string, ReadonlyMap<string, Waits>>): Row[] {
  const [now, before] = [measured.get('this build'), measured.get('before')];
  return [...(now ?? [])].map(([what, waits]) => {
    const other = before?.get(what);
    const words = ({ median, p99, max, answers }: Waits) =>
      `p50 ${median.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(0)} ms, ${answers.toFixed(0)} answers/s`;
    return {
      what: `p99, ${what}`,
      against: other === undefined ? '' : 'before',
      unit: other === undefined ? 'ms' : '×',
      values: [other === undefined ? waits.p99 : waits.p99 / other.p99],
      detail: other === undefined ? words(waits) : `${words(waits)}; before: ${words(other)}`,
    };
  });
}

await whenRunAlone(import.meta.url, waiting);
