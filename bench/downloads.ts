/** Archives: the ones kept from the upload, and those packed for copied-in directories. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { corpus } from './corpus.js';
import { startLectern } from './support/lectern.js';
import { CORES, requirePrograms } from './support/machine.js';
import { alternating, median, milliseconds, ratios } from './support/numbers.js';
import { startNginx } from './support/peers.js';
import { type Running, run, untilIdle } from './support/processes.js';
import { ask, assertServes } from './support/requests.js';
import { progress, ROUNDS, SECONDS, whenRunAlone } from './support/script.js';
import { type Row, ratioRow, type Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';
import { figuresOf, type LoadResult, load } from './support/wrk.js';

/** The files of a copied-in directory are looked at every 2 seconds at most (contract section 5). */
const LOOKS_AGAIN_MS = 2_100;

export async function downloads(): Promise<Section> {
  requirePrograms('wrk', 'nginx', 'taskset', 'zip', 'unzip');
  return {
    title: 'Downloads',
    note: `${ROUNDS} alternating rounds: a stored archive in bytes per second over four connections, server and load on one core each; a copied-in directory packed anew each time, no core reserved.`,
    rows: [await stored(), ...(await packed())],
  };
}

async function stored(): Promise<Row> {
  progress('downloads: stored');
  const { zip, fileName } = await corpus('large');
  const root = temporaryDirectory('downloads');
  cpSync(zip, join(root, fileName));
  const nginx = await startNginx(root, CORES.server);
  const lectern = await startLectern({ cores: CORES.server });
  await lectern.publish({ name: fileName, archive: zip });
  await untilIdle(lectern.pid);
  const content = readFileSync(zip);
  const downloading = ({ origin, pid }: Running, seconds: number) =>
    load({
      origin,
      pid,
      paths: [`/${fileName}`],
      connections: 4,
      seconds,
      bodyBytes: content.length,
    });
  for (const server of [nginx, lectern]) {
    await assertServes(`${server.origin}/${fileName}`, content);
    await downloading(server, 1);
  }
  const measured = await alternating(ROUNDS, {
    nginx: () => downloading(nginx, SECONDS),
    lectern: () => downloading(lectern, SECONDS),
  });
  const rate = (results: readonly LoadResult[]) => results.map((each) => each.megabytesPerSecond);
  const [ours, theirs] = [rate(measured.lectern), rate(measured.nginx)];
  await nginx.stop();
  await lectern.stop();
  return {
    what: 'stored archive of 46 MB, bytes per second',
    against: 'nginx',
    unit: '×',
    values: ratios(ours, theirs),
    target: { atLeast: 0.7 },
    detail: `${Math.round(median(ours))} / ${Math.round(median(theirs))} MB/s`,
    own: figuresOf(measured.lectern),
  };
}

async function packed(): Promise<Row[]> {
  const { directory, files } = await corpus('large');
  const home = temporaryDirectory('packing');
  const docs = join(home, 'docs');
  const site = join(docs, 'copied-1.0.0');
  mkdirSync(docs);
  cpSync(directory, site, { recursive: true });
  const lectern = await startLectern({ docs });
  const url = `${lectern.origin}/copied-1.0.0-docs.zip`;
  let last: Buffer = Buffer.alloc(0);
  const times = await alternating(ROUNDS, {
    zip: async (round) => {
      progress(`downloads: packing, round ${round + 1}`);
      return milliseconds(() => run('zip', ['-q', '-r', join(home, `${round}.zip`), '.'], directory));
    },
    first: async (round) => {
      // A changed file makes the archive that was kept out of date, once the directory is looked at again.
      writeFileSync(join(site, 'round.txt'), `${round}`);
      await setTimeout(LOOKS_AGAIN_MS);
      return milliseconds(async () => {
        last = (await ask(url)).body;
      });
    },
  });
  const { again } = await alternating(1, {
    again: () => milliseconds(async () => assert.ok((await ask(url)).body.equals(last))),
  });
  await assertSame(home, last, site);
  await lectern.stop();
  const what = `copied-in directory, ${files.toLocaleString('en')} files`;
  return [
    ratioRow(
      { what: `${what}: first download`, against: 'zip -r', unit: 'ms', target: { atMost: 2.5 } },
      times.first,
      times.zip,
    ),
    { what: `${what}: second download`, against: '', unit: 'ms', values: again },
  ];
}

async function assertSame(home: string, archive: Buffer, site: string): Promise<void> {
  const file = join(home, 'downloaded.zip');
  const unpacked = join(home, 'downloaded');
  writeFileSync(file, archive);
  await run('unzip', ['-q', file, '-d', unpacked]);
  await run('diff', ['-rq', site, unpacked]);
}

await whenRunAlone(import.meta.url, downloads);
