import type { ArchiveLimits } from '../../../application/ports/archives.js';
import { ArchiveIndex } from '../../../formats/archive-index.js';
import type { RootedLinks } from '../../../formats/html/rooted-links.js';
import { READ_AHEAD } from '../reading/archive-reader.js';
import { type CheckedArchive, withArchive } from '../reading/checked-archive.js';
import { METHOD } from '../reading/header-fields.js';
import { readContent } from './content.js';
import { PageSample } from './page-sample.js';

/** Checks an archive and its content as unpacking does, but writes nothing. `index` is the text of its `ArchiveIndex`. */
export function indexArchive({
  archiveFile,
  limits,
}: {
  readonly archiveFile: string;
  readonly limits: ArchiveLimits;
}): Promise<{ readonly index: string; readonly rootedLinks: RootedLinks | undefined }> {
  return withArchive(archiveFile, limits, false, async (archive) => {
    const { reader, entries } = archive;
    const sample = new PageSample(archive);
    reader.readAhead = READ_AHEAD.content;
    for (const entry of entries)
      await readContent(
        reader,
        entry,
        sample.keeping(entry, () => {}),
      );
    return { index: indexOf(archive), rootedLinks: sample.rootedLinks() };
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
