/**
 * Counting reads: processor time of a page from memory, with `--usage` and without.
 *
 *     npm run build && node --import tsx bench/usage.ts
 */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryUsageStore } from '../test/support/memory-usage-store.js';
import { moduleOfBuild } from './support/builds.js';
import { startLectern } from './support/lectern.js';
import { CORES, requirePrograms } from './support/machine.js';
import { alternating, ratios } from './support/numbers.js';
import { run } from './support/processes.js';
import { ROUNDS, SECONDS, whenRunAlone } from './support/script.js';
import type { Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';
import { figuresOf, type LoadResult, load } from './support/wrk.js';

const BODY_BYTES = 6_000;
/** A browser says who it is: looking at that is part of the cost. */
const HEADERS = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' };
const VALUES = 4 * ROUNDS;
const READS = 1_000_000;

export async function usage(): Promise<Section> {
  requirePrograms('wrk', 'taskset', 'zip');
  const home = temporaryDirectory('usage');
  const page = join(home, 'index.html');
  writeFileSync(page, `<h1>${randomBytes(BODY_BYTES).toString('hex')}`.slice(0, BODY_BYTES));
  const archive = join(home, 'a-1.0-docs.zip');
  await run('zip', ['-q', '-j', archive, page]);
  const start = async (...args: readonly string[]) => {
    const server = await startLectern({ cores: CORES.server, args });
    await server.publish({ name: 'a-1.0-docs.zip', archive });
    return server;
  };
  const [counting, plain] = [await start('--usage'), await start()];
  const read = ({ origin, pid }: typeof plain) =>
    load({ origin, pid, paths: ['/a-1.0/'], headers: HEADERS, seconds: SECONDS, bodyBytes: BODY_BYTES });
  const micros = (results: readonly LoadResult[]) => results.map(({ microsEach }) => microsEach);
  // V8 compiles for some seconds.
  for (const server of [counting, plain, counting, plain]) await read(server);
  const measured = await alternating(VALUES, {
    counting: () => read(counting),
    plain: () => read(plain),
  });
  await counting.stop();
  await plain.stop();
  return {
    title: 'Counting reads',
    note: `A page of ${BODY_BYTES.toLocaleString('en')} bytes from memory, ${VALUES} alternating rounds, one core for the server and one for wrk.`,
    rows: [
      { what: 'counting one read', against: '', unit: 'µs', values: await countingAlone() },
      {
        what: 'processor time of a page, without --usage',
        against: '',
        unit: 'µs',
        values: micros(measured.plain),
        own: figuresOf(measured.plain),
      },
      {
        what: 'processor time of a page, with --usage',
        against: '',
        unit: 'µs',
        values: micros(measured.counting),
        own: figuresOf(measured.counting),
      },
      {
        what: 'processor time of a page, with --usage',
        against: 'without',
        unit: '×',
        values: ratios(micros(measured.counting), micros(measured.plain)),
      },
    ],
  };
}

/** Microseconds of processor time for one read, in each round. */
async function countingAlone(): Promise<number[]> {
  const { CountReads } = await moduleOfBuild('application/index.js');
  const { isOfReader } = await moduleOfBuild('domain/index.js');
  const countReads = new CountReads(new MemoryUsageStore(), 'bench');
  const version = { project: 'a', label: '1.0', directoryName: 'a-1.0' };
  const request = { method: 'GET', userAgent: HEADERS['User-Agent'] };
  const now = new Date();
  const { values } = await alternating(VALUES, {
    values: async () => {
      const before = process.cpuUsage();
      for (let read = 0; read < READS; read++) {
        if (isOfReader(request)) countReads.count('reads', version, 'index.html', now);
      }
      const { user, system } = process.cpuUsage(before);
      return (user + system) / READS;
    },
  });
  return values;
}

await whenRunAlone(import.meta.url, usage);
