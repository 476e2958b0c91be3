import type { ArchiveEntry } from './archive-entry.js';
import { type ArchiveReader, PastTheEnd, READ_AHEAD } from './archive-reader.js';
import { readContent } from './content.js';
import { asRefusal } from './refusal-of.js';
import type { SharedWork, Side } from './shared-work.js';
import { SiteWriter } from './site-writer.js';

/** Entries of an archive whose headers were checked, and where they go. */
export interface Unpacking {
  /** All of them, or the last. */
  readonly entries: readonly ArchiveEntry[];
  /** How many there are. */
  readonly total: number;
  /** The directory that holds every file of the archive, as `docs/`: it is left out of the site. */
  readonly top: string;
  /** Must be there. */
  readonly siteDirectory: string;
}

/**
 * Writes one side of the entries, and holds all content against its headers. After a failure the other side stops
 * too, and what was written is left to be removed.
 * @throws Refusal `invalid_archive`; an error of the disk; Stopped when the other side has failed
 */
export async function writeEntries(
  archive: ArchiveReader,
  { entries, total, top, siteDirectory }: Unpacking,
  { work, side }: { readonly work: SharedWork; readonly side: Side },
): Promise<void> {
  const site = new SiteWriter(siteDirectory);
  try {
    for (const batch of work.batches(entries, side, ({ size }) => size, total)) {
      archive.readAhead = Math.min(READ_AHEAD.content, extentOf(batch));
      for (const entry of batch) await writeEntry(archive, entry, top, site, work);
    }
  } catch (error) {
    work.stop();
    throw error instanceof PastTheEnd ? asRefusal(error, 'it ends before its content does') : error;
  }
}

/** Bytes of the archive from the first of them to the last: neighbours, in its order. */
function extentOf(batch: readonly ArchiveEntry[]): number {
  const [first, last] = [batch[0], batch.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return last.dataOffset + last.compressedSize - first.dataOffset;
}

async function writeEntry(
  archive: ArchiveReader,
  entry: ArchiveEntry,
  top: string,
  site: SiteWriter,
  work: SharedWork,
): Promise<void> {
  const path = entry.path.slice(top.length);
  if (entry.kind !== 'file') {
    const isBelowTop = `${entry.path}/`.startsWith(top);
    if (entry.kind === 'directory' && isBelowTop) site.createDirectory(path);
    return readContent(archive, entry, () => {});
  }
  const file = site.createFile(path, entry.name);
  try {
    await readContent(archive, entry, (bytes) => {
      work.assertGoesOn();
      file.write(bytes);
    });
  } finally {
    file.close();
  }
}
