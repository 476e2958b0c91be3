/**
 * Time that readers wait who have nothing to do with what others ask for.
 *
 *     npm run build && node --import tsx bench/waiting.ts [missing] [search] [listing] [agents]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Lectern, startLectern } from './support/lectern.js';
import { alternating, median } from './support/numbers.js';
import { processorTimeOf } from './support/processes.js';
import { ask } from './support/requests.js';
import { progress, ROUNDS, SECONDS, whenRunAlone } from './support/script.js';
import type { Row, Section } from './support/table.js';
import { LOADS, type Load } from './waiting/loads.js';

/** Pause between two requests of the innocent reader, in milliseconds. */
const PAUSE_MS = 5;
/** Longer than the longest load, and than the measurement of one. */
const SECONDS_EACH = Math.max(4, SECONDS);

export async function waiting(): Promise<Section> {
  const chosen = process.argv.slice(2);
  const rows: Row[] = [];
  for (const [kind, prepare] of Object.entries(LOADS)) {
    if (chosen.length > 0 && !chosen.includes(kind)) continue;
    progress(`waiting: ${kind}`);
    const { docs, fill, loads } = await prepare();
    const lectern = await startLectern({
      ...(docs && { docs }),
      args: ['--search', kind === 'search' ? 'latest' : 'off'],
    });
    await fill(lectern);
    for (const load of loads) rows.push(...(await rowsOf(lectern, load)));
    await lectern.stop();
  }
  return {
    title: 'Waiting',
    note: `p99 of \`/robots.txt\`, or of the path named, asked for every ${PAUSE_MS} ms, while others ask without pause; ${ROUNDS} rounds of ${SECONDS_EACH} s. Times include those of the machine.`,
    rows,
  };
}

/** Waiting times of a reader, in milliseconds. */
interface Waits {
  readonly median: number;
  readonly p99: number;
  readonly max: number;
  /** Answers to the load per second. */
  readonly answers: number;
  /** Processor time of the server for each of them, in microseconds. */
  readonly micros: number;
}

async function rowsOf(lectern: Lectern, load: Load): Promise<Row[]> {
  const rows: Row[] = [];
  for (const innocent of ['/robots.txt', ...(load.innocents ?? [])]) {
    const what = innocent === '/robots.txt' ? load.what : `${load.what}: ${innocent}`;
    progress(`  ${what}`);
    const { waits } = await alternating(ROUNDS, { waits: () => waitsDuring(lectern, load, innocent) });
    const of = (figure: keyof Waits) => waits.map((each) => each[figure]);
    const [p50, max, answers] = [median(of('median')), Math.max(...of('max')), median(of('answers'))];
    rows.push({
      ...{ what, against: '', unit: 'ms', values: of('p99') },
      detail: `p50 ${p50.toFixed(1)}, max ${max.toFixed(0)} ms, ${answers.toFixed(0)} answers/s`,
      own: [
        { what: 'p99', unit: 'ms', values: of('p99') },
        { what: 'answers to the others', unit: '/s', values: of('answers') },
        { what: 'processor time of an answer', unit: 'µs', values: of('micros') },
      ],
    });
    await sleep(200);
  }
  return rows;
}

async function waitsDuring(
  { origin, pid }: Lectern,
  { paths, bodies = [], connections = 16, headers = {} }: Load,
  innocent: string,
): Promise<Waits> {
  const worker = new Worker(new URL('./waiting/asking.mjs', import.meta.url), {
    workerData: { origin, paths, bodies, connections, headers },
  });
  let answers = 0;
  worker.on('message', (count: number) => {
    answers = count;
  });
  await sleep(300);
  const waits: number[] = [];
  const [answersBefore, timeBefore] = [answers, processorTimeOf(pid)];
  const end = performance.now() + SECONDS_EACH * 1_000;
  while (performance.now() < end) {
    const sent = performance.now();
    await ask(origin + innocent);
    waits.push(performance.now() - sent);
    await sleep(PAUSE_MS);
  }
  const [counted, time] = [answers - answersBefore, processorTimeOf(pid) - timeBefore];
  await worker.terminate();
  waits.sort((a, b) => a - b);
  const at = (part: number) =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? Number.NaN;
  return {
    median: at(0.5),
    p99: at(0.99),
    max: at(1),
    answers: counted / SECONDS_EACH,
    micros: (1_000 * time) / counted,
  };
}

await whenRunAlone(import.meta.url, waiting, 20);
