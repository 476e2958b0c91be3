import type { ArchiveLimits } from '../../../application/ports/archives.js';
import { ArchiveIndex } from '../../../formats/archive-index.js';
import { READ_AHEAD } from '../reading/archive-reader.js';
import { type CheckedArchive, withArchive } from '../reading/checked-archive.js';
import { METHOD } from '../reading/header-fields.js';
import { readContent } from './content.js';
import { type FoundContent, SiteFacts } from './site-facts.js';

/** Checks an archive and its content as unpacking does, but writes nothing. `index` is the text of its `ArchiveIndex`. */
export function indexArchive({
  archiveFile,
  limits,
}: {
  readonly archiveFile: string;
  readonly limits: ArchiveLimits;
}): Promise<FoundContent & { readonly index: string }> {
  return withArchive(archiveFile, limits, false, async (archive) => {
    const { reader, entries } = archive;
    const facts = new SiteFacts(archive);
    reader.readAhead = READ_AHEAD.content;
    for (const entry of entries)
      await readContent(
        reader,
        entry,
        facts.keeping(entry, () => {}),
      );
    return { ...facts.found(), index: indexOf(archive) };
  });
}

/** Returns the text of an archive's index, by the paths of its site. */
export function indexOf({ files, top }: CheckedArchive): string {
  return ArchiveIndex.of(
    files.map(({ path, dataOffset: offset, compressedSize, size, method, crc32 }) => ({
      path: path.slice(top.length),
      offset,
      compressedSize,
      size,
      method: method === METHOD.stored ? 'stored' : 'deflated',
      crc32,
    })),
  ).toString();
}
