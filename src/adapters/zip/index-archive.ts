import type { ArchiveLimits } from '../../application/ports/archives.js';
import { READ_AHEAD } from './archive-reader.js';
import { withArchive } from './checked-archive.js';
import { readContent } from './content.js';
import { indexOf } from './index-of.js';

/** Checks an archive as unpacking does, content included, and writes nothing. Gives the text of an `ArchiveIndex`. */
export function indexArchive({
  archiveFile,
  limits,
}: {
  readonly archiveFile: string;
  readonly limits: ArchiveLimits;
}): Promise<string> {
  return withArchive(archiveFile, limits, false, async ({ reader, entries, files, top }) => {
    reader.readAhead = READ_AHEAD.content;
    for (const entry of entries) await readContent(reader, entry, () => {});
    return indexOf(files, top).toString();
  });
}
