import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JUDGED } from '../../test/judged/judge.js';
import { type Lectern, startLectern } from '../support/lectern.js';
import { alternating, median } from '../support/numbers.js';
import { forgetPeak, memoryOf } from '../support/processes.js';
import { ask } from '../support/requests.js';
import { progress, ROUNDS, SETTLING_MS } from '../support/script.js';
import type { Row } from '../support/table.js';
import { temporaryDirectory } from '../support/temporary.js';
import { writeIndexedLibrary } from './indexed-library.js';

const PROJECTS = 200;
/** Step between judged queries that are also typed letter by letter. */
const TYPED = 8;
const QUERIES = [...JUDGED.three, ...JUDGED.all, ...JUDGED.holdOut].map(({ query }) => query);

const TYPED_ON_INDEX = ['retry', 'connection pool'];

/** Searches in 200 projects: how long they take, and what memory. */
export async function searchingRows(databases: ReadonlyMap<string, string>): Promise<Row[]> {
  const docs = join(temporaryDirectory('search'), 'docs');
  const files = [...databases.values()];
  const repeated = Array.from({ length: PROJECTS }, (_, at) => files[at % files.length] ?? '');
  await writeIndexedLibrary(docs, repeated);
  const { idle, off, last } = await idleMemory(docs);
  forgetPeak(last.pid);
  const before = memoryOf(last.pid).now;
  progress('search: searching');
  const first = await searched(last, QUERIES.slice(0, 1), 20);
  await searched(last, QUERIES, 19);
  const beginnings = QUERIES.filter((_, at) => at % TYPED === 0).flatMap(beginningsOf);
  const { times, typed } = await alternating(ROUNDS, {
    times: (round) => searched(last, QUERIES, 18 - ((2 * round) % 18)),
    typed: (round) => searched(last, beginnings, 18 - ((2 * round + 1) % 18)),
  });
  const peak = memoryOf(last.pid).peak;
  const letters = await sizesOfLetters(last);
  await last.stop();
  const inMs = (what: string, values: readonly number[], atMost?: number): Row => ({
    what: `${PROJECTS} projects, ${what}`,
    against: '',
    unit: 'ms',
    values,
    ...(atMost === undefined ? {} : { target: { atMost } }),
  });
  return [
    inMs('first search after the start', first),
    inMs('search, p50', times.map(at(0.5)), 20),
    inMs('search, p99', times.map(at(0.99)), 150),
    inMs('as one types, p50', typed.map(at(0.5))),
    inMs('as one types, p99', typed.map(at(0.99)), 200),
    {
      what: `${PROJECTS} projects, a letter typed on the index`,
      against: '',
      unit: 'KB',
      values: letters,
      target: { atMost: 15 },
      detail: 'both fragments, as sent',
    },
    {
      what: `${PROJECTS} projects, idle memory, not searched`,
      against: '--search off',
      unit: 'MB',
      values: idle.map((memory, round) => memory - (off[round] ?? Number.NaN)),
      target: { atMost: 5 },
      detail: `${median(idle).toFixed(0)} / ${median(off).toFixed(0)} MB`,
      own: [{ what: 'all', unit: 'MB', values: idle }],
    },
    {
      what: `${PROJECTS} projects, most memory while searching`,
      against: 'not searched',
      unit: 'MB',
      values: [peak - before],
      target: { atMost: 200 },
      detail: `${peak.toFixed(0)} / ${before.toFixed(0)} MB`,
    },
  ];
}

/** Memory of idle servers with and without search, and a server with search that goes on. */
async function idleMemory(docs: string) {
  let last: Lectern | undefined;
  const once = async (round: number) => {
    await last?.stop();
    progress(`search: idle memory, round ${round + 1}`);
    const servers = [await startLectern({ docs }), await startLectern({ docs, args: ['--search', 'off'] })];
    await sleep(SETTLING_MS);
    const [on, without] = servers as [Lectern, Lectern];
    const memory = { on: memoryOf(on.pid).now, off: memoryOf(without.pid).now };
    await without.stop();
    last = on;
    return memory;
  };
  const { memories } = await alternating(ROUNDS, { memories: once });
  return { idle: memories.map(({ on }) => on), off: memories.map(({ off }) => off), last: last as Lectern };
}

/**
 * Milliseconds of each search, one after the other.
 * @param limit no question is asked twice with the same one, since an answer is kept
 */
async function searched(lectern: Lectern, queries: readonly string[], limit: number): Promise<number[]> {
  const times: number[] = [];
  for (const query of queries) {
    const url = `${lectern.origin}/api/search?limit=${limit}&q=${encodeURIComponent(query)}`;
    const startedAt = performance.now();
    const { status, body } = await ask(url);
    times.push(performance.now() - startedAt);
    const { indexing } = JSON.parse(body.toString());
    if (status !== 200 || indexing !== 0) throw new Error(`${url}: ${status} ${body}`);
  }
  return times;
}

/** Kilobytes that a browser receives for each letter typed into the field of the index: projects, and pages. */
async function sizesOfLetters({ origin }: Lectern): Promise<number[]> {
  const sizes: number[] = [];
  for (const typed of TYPED_ON_INDEX.flatMap(beginningsOf)) {
    const q = encodeURIComponent(typed);
    let bytes = 0;
    for (const path of [`/?search=${q}&part=true`, `/-/search?q=${q}&part=true&facets=true`]) {
      const { status, body } = await ask(`${origin}${path}`, { headers: { 'Accept-Encoding': 'gzip' } });
      if (status !== 200) throw new Error(`${path}: ${status}`);
      bytes += body.length;
    }
    sizes.push(bytes / 1_000);
  }
  return sizes;
}

const beginningsOf = (query: string) =>
  Array.from({ length: query.length - 1 }, (_, at) => query.slice(0, at + 2));

const at = (share: number) => (times: readonly number[]) => {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
};
