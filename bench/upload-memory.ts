/**
 * Memory that the server takes for an upload, by the size of the archive:
 *
 *     npm run build && node --import tsx bench/upload-memory.ts [10 100 300 1000]
 *
 * Each size, in MB, is uploaded three times: as files that do not compress, 1 MB each and stored, as files of 1 MB
 * each when deflated, and as one deflated file. Each has a server process of its own, with all limits out of the way.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LargeEntry, writeLargeZip } from '../test/support/large-zip.js';
import { startLectern } from './support/lectern.js';
import { alternating, median } from './support/numbers.js';
import { forgetPeak, memoryOf } from './support/processes.js';
import { progress, ROUNDS, whenRunAlone } from './support/script.js';
import type { Row, Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';

const MB = 1_000_000;
const UNLIMITED = ['--max-upload-size', '10GiB', '--max-extracted-size', '10GiB'];
const noise = randomBytes(MB);
/** Deflates to one MB, more or less. */
const text = Buffer.from(randomBytes(MB).toString('base64'));

/** The entries of an archive of so many MB. */
const KINDS: Readonly<Record<string, (megabytes: number) => readonly LargeEntry[]>> = {
  'stored files': (megabytes) =>
    Array.from({ length: megabytes }, (_, number) => {
      return { name: `part-${number}.bin`, block: noise, times: 1, method: 'stored' };
    }),
  'deflated files': (megabytes) =>
    Array.from({ length: megabytes }, (_, number) => {
      return { name: `part-${number}.txt`, block: text, times: 1, method: 'deflated' };
    }),
  'one deflated file': (megabytes) => [
    { name: 'whole.txt', block: text, times: megabytes, method: 'deflated' },
  ],
};

export async function uploadMemory(sizes: readonly number[]): Promise<Section> {
  const rows: Row[] = [];
  for (const size of sizes) {
    for (const [kind, entriesOf] of Object.entries(KINDS)) {
      const what = `${size} MB, ${kind}`;
      const archive = join(temporaryDirectory('upload-memory'), 'archive.zip');
      await writeLargeZip(archive, entriesOf(size));
      const { uploads } = await alternating(ROUNDS, { uploads: () => uploaded(what, archive) });
      rmSync(archive);
      const of = (figure: 'above' | 'peak' | 'ms') => uploads.map((upload) => upload[figure]);
      const detail = `peak ${median(of('peak')).toFixed(0)} MB`;
      rows.push(
        { what: `${what}: memory above idle`, against: '', unit: 'MB', values: of('above'), detail },
        { what: `${what}: answer`, against: '', unit: 'ms', values: of('ms') },
      );
    }
  }
  return { title: 'Memory for uploads', note: 'A server of its own for each archive, without limits.', rows };
}

async function uploaded(what: string, archive: string) {
  progress(`upload memory: ${what}`);
  const lectern = await startLectern({ args: UNLIMITED });
  const idle = memoryOf(lectern.pid).now;
  forgetPeak(lectern.pid);
  const { answeredMs } = await lectern.publish({ name: 'large-1.0-docs.zip', archive });
  const { peak } = memoryOf(lectern.pid);
  await lectern.stop();
  rmSync(lectern.docs, { recursive: true });
  return { above: peak - idle, peak, ms: answeredMs };
}

const wanted = process.argv.slice(2).map(Number);
await whenRunAlone(
  import.meta.url,
  () => uploadMemory(wanted.length > 0 ? wanted : [10, 100, 300, 1_000]),
  20,
);
