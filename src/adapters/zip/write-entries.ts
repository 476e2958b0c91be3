import type { ArchiveEntry } from './archive-entry.js';
import { type ArchiveReader, READ_AHEAD } from './archive-reader.js';
import { readContent } from './content.js';
import { SiteWriter } from './site-writer.js';

/** Entries of an archive whose headers were checked, and where they go. */
export interface Unpacking {
  /** In the order of their content in the archive. */
  readonly entries: readonly ArchiveEntry[];
  /** The directory that holds every file of the archive, as `docs/`: it is left out of the site. */
  readonly top: string;
  /** Must be there. */
  readonly siteDirectory: string;
}

/**
 * Writes the entries, and holds all content against its headers. What was written before a failure is left to be
 * removed.
 * @throws Refusal `invalid_archive`; PastTheEnd; an error of the disk
 */
export async function writeEntries(
  archive: ArchiveReader,
  { entries, top, siteDirectory }: Unpacking,
): Promise<void> {
  const site = new SiteWriter(siteDirectory);
  archive.readAhead = READ_AHEAD.content;
  for (const entry of entries) {
    const path = entry.path.slice(top.length);
    if (entry.kind === 'file') {
      const file = site.createFile(path, entry.name);
      try {
        await readContent(archive, entry, file.write);
      } finally {
        file.close();
      }
    } else {
      const isBelowTop = `${entry.path}/`.startsWith(top);
      if (entry.kind === 'directory' && isBelowTop) site.createDirectory(path);
      await readContent(archive, entry, () => {});
    }
  }
}
