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
  readsLinks,
}: {
  readonly archiveFile: string;
  readonly limits: ArchiveLimits;
  readonly readsLinks: boolean;
}): Promise<FoundContent & { readonly index: string }> {
  return withArchive(archiveFile, limits, false, async (archive) => {
    const { reader, entries } = archive;
    const facts = new SiteFacts(archive, readsLinks);
    reader.readAhead = READ_AHEAD.content;
    for (const entry of entries)
      await readContent(
        reader,
        entry,
        facts.keeping(entry, () => {}),
      );
    return { ...(await facts.found()), index: indexOf(archive, facts.charsetsByPath()) };
  });
}

/** Returns the text of an archive's index, by the paths of its site. @param charsets by path */
export function indexOf({ files, top }: CheckedArchive, charsets: ReadonlyMap<string, string>): string {
  return ArchiveIndex.of(
    files.map(({ path: name, dataOffset: offset, compressedSize, size, method, crc32 }) => {
      const path = name.slice(top.length);
      const charset = charsets.get(path);
      return {
        path,
        offset,
        compressedSize,
        size,
        method: method === METHOD.stored ? 'stored' : 'deflated',
        crc32,
        ...(charset !== undefined && { charset }),
      };
    }),
  ).toString();
}
