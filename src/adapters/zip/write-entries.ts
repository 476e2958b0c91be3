import type { ArchiveEntry } from './archive-entry.js';
import { type ArchiveReader, PastTheEnd, READ_AHEAD } from './archive-reader.js';
import { readContent } from './content.js';
import { asRefusal } from './refusal-of.js';
import type { SharedWork, Side } from './shared-work.js';
import { SiteWriter } from './site-writer.js';

/** Entries of an archive whose headers were checked, and where they go. */
export interface Unpacking {
  readonly entries: readonly ArchiveEntry[];
  /** The directory that holds every file of the archive, as `docs/`: it is left out of the site. */
  readonly top: string;
  /** Must be there. */
  readonly siteDirectory: string;
}

/**
 * Writes one side of the entries, and holds all content against its headers. After a failure the other side stops
 * too, and what was written is left to be removed.
 * @throws Refusal `invalid_archive`; an error of the disk
 */
export async function writeEntries(
  archive: ArchiveReader,
  { entries, top, siteDirectory }: Unpacking,
  { work, side }: { readonly work: SharedWork; readonly side: Side },
): Promise<void> {
  const writer = new SiteWriter(siteDirectory);
  archive.readAhead = READ_AHEAD.content;
  try {
    for (const batch of work.batches(entries, side, ({ size }) => size)) {
      for (const entry of batch) await writeEntry(archive, entry, top, writer);
    }
  } catch (error) {
    work.stop();
    throw error instanceof PastTheEnd ? asRefusal(error, 'it ends before its content does') : error;
  }
}

async function writeEntry(
  archive: ArchiveReader,
  entry: ArchiveEntry,
  top: string,
  writer: SiteWriter,
): Promise<void> {
  const path = entry.path.slice(top.length);
  if (entry.kind !== 'file') {
    const isBelowTop = `${entry.path}/`.startsWith(top);
    if (entry.kind === 'directory' && isBelowTop) writer.createDirectory(path);
    return readContent(archive, entry, () => {});
  }
  const file = writer.createFile(path, entry.name);
  try {
    await readContent(archive, entry, file.write);
  } finally {
    file.close();
  }
}
