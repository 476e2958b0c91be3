import { READ_AHEAD } from './archive-reader.js';
import type { CheckedArchive } from './checked-archive.js';
import { readContent } from './content.js';
import { SiteWriter } from './site-writer.js';

/**
 * Writes the entries, and holds all content against its headers. What was written before a failure is left to be
 * removed.
 * @param siteDirectory must be there
 * @throws Refusal `invalid_archive`; PastTheEnd; an error of the disk
 */
export async function writeEntries(
  { reader, entries, top }: CheckedArchive,
  siteDirectory: string,
): Promise<void> {
  const site = new SiteWriter(siteDirectory);
  reader.readAhead = READ_AHEAD.content;
  for (const entry of entries) {
    const path = entry.path.slice(top.length);
    if (entry.kind === 'file') {
      const file = site.createFile(path, entry.name);
      try {
        await readContent(reader, entry, file.write);
      } finally {
        file.close();
      }
    } else {
      const isBelowTop = `${entry.path}/`.startsWith(top);
      if (entry.kind === 'directory' && isBelowTop) site.createDirectory(path);
      await readContent(reader, entry, () => {});
    }
  }
}
