/** From an archive to a page: publishing and replacing, and the memory that it takes. */
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CORPUS_SIZES, type Corpus, type CorpusSize, corpus } from './corpus.js';
import { type Lectern, startLectern } from './support/lectern.js';
import { requirePrograms } from './support/machine.js';
import { alternating, milliseconds } from './support/numbers.js';
import { startDocat } from './support/peers.js';
import { forgetPeak, memoryOf, type Running, run } from './support/processes.js';
import { assertServes, upload } from './support/requests.js';
import { progress, ROUNDS, whenRunAlone } from './support/script.js';
import { megabytes, type Row, ratioRow, type Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';

const MEMORY_MEGABYTES = 1_000;
/** Longer than a replaced version is kept for its last readers. */
const UNTIL_OLD_VERSIONS_ARE_GONE_MS = 7_000;

export async function publish(): Promise<Section> {
  requirePrograms('unzip', 'zip', 'sync');
  const rows: Row[] = [];
  const home = temporaryDirectory('publish');
  const docat = await startDocat(home);
  const published: Published[] = [];
  for (const size of CORPUS_SIZES) published.push(await publishing(size, home, docat));
  await docat?.stop();
  // Last: on some file systems, files are made more slowly for minutes after others were deleted.
  for (const version of published) {
    rows.push(...version.rows);
    // Smaller sites have the same ratio to publishing.
    if (version.size === 'large') rows.push(await replacing(version));
    await assertWhole(version.lectern, version.site, '1.99.0');
    await version.lectern.stop();
  }
  rows.push(await memory(home));
  return {
    title: 'Publishing',
    note: `${ROUNDS} alternating rounds, three times as many where publishing takes less than a second; no core reserved, all on one disk; what is written stays until the end, and a site that was replaced until it is removed in the background after the measured time. "To the page" is from the last byte sent to the last byte of the first page; "whole" is from the first byte sent to the answer. docat is a stand-in with the same parts (FastAPI, uvicorn, python-multipart, zipfile)${docat === undefined ? '; they are missing here, so it is zipfile.extractall alone' : ''}.`,
    rows,
  };
}

/** Milliseconds: from the last byte sent to the first page, and from the first byte to the answer. */
interface Times {
  readonly toThePage: number;
  readonly whole: number;
}

/** A site that was published round by round, and its server, which goes on. */
interface Published {
  readonly size: CorpusSize;
  readonly site: Corpus;
  readonly lectern: Lectern;
  readonly what: string;
  readonly publishNow: (round: number) => Promise<Times>;
  readonly rows: Row[];
}

async function publishing(size: CorpusSize, home: string, docat: Running | undefined): Promise<Published> {
  const site = await corpus(size);
  const lectern = await startLectern();
  const index = readFileSync(join(site.directory, 'index.html'));
  const publishNow = async (round: number) => {
    const name = `${site.project}-1.${round}.0-docs.zip`;
    const uploaded = await lectern.publish({ name, archive: site.zip });
    const page = `${lectern.origin}/${site.project}-1.${round}.0/index.html`;
    const pageMs = await milliseconds(() => assertServes(page, index));
    return { toThePage: uploaded.answeredMs - uploaded.sentMs + pageMs, whole: uploaded.answeredMs };
  };
  // A worker thread starts, and code is compiled: not with the first measured upload.
  await publishNow(99);

  const times = await alternating(roundsOf(size), {
    unzip: async (round) => {
      progress(`publish: ${size}, round ${round + 1}`);
      return settled(() =>
        milliseconds(() => run('unzip', ['-q', site.zip, '-d', join(home, `unzip-${size}-${round}`)])),
      );
    },
    lectern: (round) => settled(() => publishNow(round)),
    docat: (round) => settled(() => docatTakes(docat, home, site, `${size}-${round}`)),
  });
  const toThePage = times.lectern.map((time) => time.toThePage);
  const what = `${size}: ${site.files.toLocaleString('en')} files, ${megabytes(statSync(site.zip).size)}`;
  return {
    ...{ size, site, lectern, what, publishNow },
    rows: [
      row(`${what}, to the page`, 'unzip -q', toThePage, times.unzip, MAX_OF_UNZIP[size]),
      row(
        `${what}, whole`,
        docatIs(docat),
        times.lectern.map(wholeOf),
        times.docat,
        size === 'small' ? undefined : 0.8,
      ),
    ],
  };
}

/** Max. time from the last byte of an upload to its first page, divided by that of `unzip -q`. */
const MAX_OF_UNZIP: Readonly<Record<CorpusSize, number>> = { small: 1.5, medium: 1.2, large: 0.8 };

const wholeOf = ({ whole }: Times) => whole;

const docatIs = (docat: Running | undefined) => (docat === undefined ? 'zipfile' : 'docat');

/** More rounds for small sites: times of less than a second differ from each other by half. */
const roundsOf = (size: CorpusSize) => (size === 'large' ? ROUNDS : 3 * ROUNDS);

async function replacing({ size, what, publishNow }: Published): Promise<Row> {
  progress(`publish: replacing, ${what}`);
  // Published anew in turn: minutes after the first ones the same machine may take another time for the same work.
  const { anew, replace } = await alternating(roundsOf(size), {
    anew: (round) => settled(() => publishNow(300 + round)),
    replace: async (round) => {
      // The versions that the last round replaced are removed seconds later, which would disturb this round.
      await sleep(UNTIL_OLD_VERSIONS_ARE_GONE_MS);
      return settled(() => publishNow(round));
    },
  });
  const toThePage = anew.map((time) => time.toThePage);
  const replaced = replace.map((time) => time.toThePage);
  return row(`${what}, replacing`, 'publishing', replaced, toThePage, 1);
}

function row(what: string, against: string, ours: number[], theirs: number[], atMost?: number): Row {
  return ratioRow(
    { what, against, unit: 'ms', target: atMost === undefined ? atMost : { atMost } },
    ours,
    theirs,
  );
}

/** Syncs the disk first, so that earlier writes don't count in the time of this work. */
async function settled<Result>(work: () => Promise<Result>): Promise<Result> {
  await run('sync', []);
  return work();
}

async function docatTakes(
  docat: Running | undefined,
  home: string,
  site: Corpus,
  version: string,
): Promise<number> {
  if (docat === undefined) {
    const into = join(home, `zipfile-${version}`);
    return milliseconds(() => run('python3', ['-m', 'zipfile', '-e', site.zip, into]));
  }
  const url = `${docat.origin}/api/${site.project}/${version}`;
  const { status, answeredMs, body } = await upload(url, { name: site.fileName, archive: site.zip });
  assert.equal(status, 201, body.toString());
  return answeredMs;
}

/** All of what was published, byte by byte. */
async function assertWhole(
  { docs }: Lectern,
  { project, directory }: Corpus,
  version: string,
): Promise<void> {
  await run('diff', ['-rq', directory, `${docs}/${project}-${version}/`]);
}

/** Peak memory of the process beyond its idle memory. */
async function memory(home: string): Promise<Row> {
  const size = MEMORY_MEGABYTES;
  progress(`publish: memory with ${size} MB`);
  const archive = join(home, 'memory.zip');
  await grow((await corpus('large')).zip, archive, size);
  const lectern = await startLectern({ args: ['--max-upload-size', '2GiB', '--max-extracted-size', '8GiB'] });
  await sleep(1_000);
  const idle = memoryOf(lectern.pid).now;
  forgetPeak(lectern.pid);
  await lectern.publish({ name: 'memory-1.0.0-docs.zip', archive });
  const { peak } = memoryOf(lectern.pid);
  await lectern.stop();
  return {
    what: `archive of ${size} MB, peak memory above idle`,
    against: '',
    unit: 'MB',
    values: [peak - idle],
    target: { atMost: 130 },
    detail: `idle ${Math.round(idle)} MB, peak ${Math.round(peak)} MB`,
  };
}

/** The archive of a corpus with files added that don't compress, until it has the size wanted. */
async function grow(from: string, to: string, size: number): Promise<void> {
  copyFileSync(from, to);
  const filler = `${to}.filler`;
  mkdirSync(filler);
  const bytes = Buffer.allocUnsafe(16_000_000);
  for (let left = size * 1e6 - statSync(from).size; left > 0; left -= bytes.length) {
    writeFileSync(
      join(filler, `${left}.bin`),
      randomFillSync(bytes.subarray(0, Math.min(left, bytes.length))),
    );
  }
  await run('zip', ['-q', '-1', '-r', to, '.'], filler);
  await run('rm', ['-rf', filler]);
}

await whenRunAlone(import.meta.url, publish);
