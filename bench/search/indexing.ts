import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CORPUS_SIZES, type Corpus, type CorpusSize, corpus } from '../corpus.js';
import { type Lectern, startLectern } from '../support/lectern.js';
import { CORES } from '../support/machine.js';
import { alternating, milliseconds } from '../support/numbers.js';
import {
  childrenOf,
  memoryOf,
  ownProcessorTimeOf,
  run,
  startCounting,
  untilIdle,
} from '../support/processes.js';
import { ask } from '../support/requests.js';
import { progress, ROUNDS, SECONDS } from '../support/script.js';
import { type Row, ratioRow } from '../support/table.js';
import { figuresOf, type LoadResult, load, microsOf, ratesOf } from '../support/wrk.js';

/** Max. time from the answer to an upload to the first search that finds the version, in milliseconds. */
const FINDABLE_MS: Readonly<Record<CorpusSize, number>> = { small: 2_000, medium: 6_000, large: 40_000 };
const POLL_MS = 20;

/** Time from an upload to a version that is found, and the cost for everything else. */
export async function indexingRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of CORPUS_SIZES) rows.push(...(await findable(size)));
  for (const size of ['medium', 'large'] as const) rows.push(await answerToUpload(size));
  return [...rows, ...(await readersWhileIndexing())];
}

/** Uploads a site again and again, each time as a new latest version, and waits until a search finds it. */
async function findable(size: CorpusSize): Promise<Row[]> {
  const site = await corpus(size);
  const lectern = await startLectern();
  const once = async (round: number) => {
    progress(`search: findable, ${size}, round ${round + 1}`);
    const version = `1.${round}.0`;
    await lectern.publish({ name: `${site.project}-${version}-docs.zip`, archive: site.zip });
    const watch = peakOfChildren(lectern);
    const ms = await milliseconds(() => untilFound(lectern, site, version));
    return { ms, memory: await watch.stop() };
  };
  const { found } = await alternating(ROUNDS, { found: once });
  await lectern.stop();
  const what = `${site.project}, ${site.files.toLocaleString('en')} files`;
  return [
    {
      what: `findable after the answer: ${what}`,
      against: '',
      unit: 'ms',
      values: found.map(({ ms }) => ms),
      target: { atMost: FINDABLE_MS[size] },
    },
    {
      what: `process that indexes ${site.project}, memory at most`,
      against: '',
      unit: 'MB',
      values: found.map(({ memory }) => memory),
      ...(size === 'large' ? { target: { atMost: 250 } } : {}),
      detail: 'it has ended',
    },
  ];
}

async function untilFound({ origin }: Lectern, { project }: Corpus, version: string): Promise<void> {
  for (;;) {
    const { body } = await ask(`${origin}/api/search?q=${project}&project=${project}&limit=1`);
    const { results, indexing } = JSON.parse(body.toString());
    if (indexing === 0 && results[0]?.version === version) return;
    await sleep(POLL_MS);
  }
}

/** Notes the memory of a server's children, the process that indexes, until there are none. */
function peakOfChildren({ pid }: Lectern) {
  let peak = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver || childrenOf(pid).length > 0) {
      for (const child of childrenOf(pid)) peak = Math.max(peak, peakOf(child));
      await sleep(POLL_MS);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await watching;
      return peak;
    },
  };
}

function peakOf(pid: number): number {
  try {
    // A process that is ending has no memory any more.
    return memoryOf(pid).peak || 0;
  } catch {
    return 0;
  }
}

/** The same uploads to a server that indexes them and to one that does not. */
async function answerToUpload(size: 'medium' | 'large'): Promise<Row> {
  const site = await corpus(size);
  const servers = { on: await startLectern(), off: await startLectern({ args: ['--search', 'off'] }) };
  const answered = (lectern: Lectern) => async (round: number) => {
    await run('sync', []);
    const version = `1.${round}.0`;
    const name = `${site.project}-${version}-docs.zip`;
    const { answeredMs } = await lectern.publish({ name, archive: site.zip });
    // The version's index is not needed any more: nothing is read during the next upload.
    await lectern.remove(site.project, version);
    while (childrenOf(lectern.pid).length > 0) await sleep(POLL_MS);
    return answeredMs;
  };
  // A worker thread starts, and code is compiled: not with the first measured upload.
  for (const lectern of Object.values(servers)) await answered(lectern)(99);
  progress(`search: answer to an upload, ${size}`);
  const rounds = size === 'large' ? ROUNDS : 5 * ROUNDS;
  const { on, off } = await alternating(rounds, { on: answered(servers.on), off: answered(servers.off) });
  for (const lectern of Object.values(servers)) await lectern.stop();
  const what = `answer to an upload, ${site.files.toLocaleString('en')} files`;
  return ratioRow({ what, against: '--search off', unit: 'ms', target: { atMost: 1.05 } }, on, off);
}

/** A hot page, read while nothing happens, while the large corpus is being indexed, and beside a program that counts. */
async function readersWhileIndexing(): Promise<Row[]> {
  const [site, large] = [await corpus('medium'), await corpus('large')];
  const lectern = await startLectern({ cores: CORES.both });
  await lectern.publish({ name: site.fileName, archive: site.zip });
  await untilFound(lectern, site, site.version);
  const page = readFileSync(join(site.directory, 'index.html'));
  const path = `/${site.project}-${site.version}/index.html`;
  const read = async () => {
    const before = ownProcessorTimeOf(lectern.pid);
    const result = await load({ origin: lectern.origin, paths: [path], bodyBytes: page.length });
    const micros = 1000 * (ownProcessorTimeOf(lectern.pid) - before);
    return { ...result, microsEach: micros / (result.perSecond * SECONDS) };
  };
  await read();
  const { idle, busy, beside } = await alternating(ROUNDS, {
    idle: read,
    busy: async (round) => {
      progress(`search: readers while a site is indexed, round ${round + 1}`);
      const version = `1.${round}.0`;
      await lectern.publish({ name: `${large.project}-${version}-docs.zip`, archive: large.zip });
      while (childrenOf(lectern.pid).length === 0) await sleep(POLL_MS);
      const result = await read();
      if (childrenOf(lectern.pid).length === 0) throw new Error('the site was indexed before the end');
      await lectern.remove(large.project, version);
      await untilIdle(lectern.pid);
      return result;
    },
    beside: async () => {
      const stop = await startCounting();
      const result = await read();
      await stop();
      return result;
    },
  });
  await lectern.stop();
  const during = (what: string, results: readonly LoadResult[], target?: Row['target']) =>
    ratioRow(
      { what, against: 'idle', unit: '/s', target, own: figuresOf(results) },
      ratesOf(results),
      ratesOf(idle),
    );
  return [
    during('pages a second while a site is indexed', busy, { atLeast: 0.85 }),
    during('pages a second while another program counts, at the lowest priority', beside),
    ratioRow(
      {
        ...{ what: 'processor time of the server for each page while a site is indexed', against: 'idle' },
        unit: 'µs',
      },
      microsOf(busy),
      microsOf(idle),
    ),
  ];
}
