/** Effect of uninterrupted large uploads on readers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus } from './corpus.js';
import { type Lectern, startLectern } from './support/lectern.js';
import { CORES, requirePrograms } from './support/machine.js';
import { alternating } from './support/numbers.js';
import { assertServes } from './support/requests.js';
import { progress, ROUNDS, SECONDS, whenRunAlone } from './support/script.js';
import { type Row, ratioRow, type Section } from './support/table.js';
import { figuresOf, load, p99Of, ratesOf } from './support/wrk.js';

/** Uploads at the same time: as many as threads that unpack. */
const UPLOADERS = 2;
/** Long enough for whole uploads. */
const SECONDS_EACH = Math.max(5, SECONDS);

export async function readersDuringUploads(): Promise<Section> {
  requirePrograms('wrk', 'taskset');
  return {
    title: 'Readers during uploads',
    note: `A hot page of the medium corpus read over 32 connections, idle and while ${UPLOADERS} clients upload the large corpus again and again; ${ROUNDS} alternating rounds of ${SECONDS_EACH} s. wrk has a core of its own; the server has the other one for everything it does, or may use both.`,
    rows: [...(await onCores('one core', CORES.server)), ...(await onCores('both cores', CORES.both))],
  };
}

async function onCores(where: string, cores: string): Promise<Row[]> {
  const [site, large] = [await corpus('medium'), await corpus('large')];
  const lectern = await startLectern({ cores });
  await lectern.publish({ name: site.fileName, archive: site.zip });
  const path = `/${site.project}-${site.version}/index.html`;
  const page = readFileSync(join(site.directory, 'index.html'));
  const read = () =>
    load({
      ...{ origin: lectern.origin, pid: lectern.pid, paths: [path] },
      ...{ bodyBytes: page.length, seconds: SECONDS_EACH },
    });
  await assertServes(lectern.origin + path, page);
  await read();

  let uploads = 0;
  const { idle, busy } = await alternating(ROUNDS, {
    idle: async (round) => {
      progress(`readers: ${where}, round ${round + 1}`);
      return read();
    },
    busy: async () => {
      const going = uploading(lectern, large);
      const result = await read();
      uploads += await going.stop();
      return result;
    },
  });
  await assertServes(lectern.origin + path, page);
  await lectern.stop();

  const time = ratioRow(
    { what: `p99, ${where}`, against: 'idle', unit: 'ms', target: { atMost: 3 } },
    p99Of(busy),
    p99Of(idle),
  );
  return [
    { ...time, detail: `${time.detail}, ${uploads} uploads` },
    ratioRow(
      {
        ...{ what: `throughput, ${where}`, against: 'idle', unit: '/s' },
        ...{ target: { atLeast: 0.5 }, own: figuresOf(busy) },
      },
      ratesOf(busy),
      ratesOf(idle),
    ),
  ];
}

/** Replaces versions without pause until told to stop; then the uploads under way come to their end. */
function uploading(lectern: Lectern, { project, zip }: { project: string; zip: string }) {
  let isOver = false;
  let done = 0;
  const uploader = async (number: number) => {
    while (!isOver) {
      await lectern.publish({ name: `${project}-1.${number}.0-docs.zip`, archive: zip });
      done += 1;
    }
  };
  const all = Promise.all(Array.from({ length: UPLOADERS }, (_, number) => uploader(number)));
  return {
    stop: async () => {
      isOver = true;
      await all;
      return done;
    },
  };
}

await whenRunAlone(import.meta.url, readersDuringUploads);
