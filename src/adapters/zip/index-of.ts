import { ArchiveIndex } from '../../formats/archive-index.js';
import type { ArchiveEntry } from './archive-entry.js';
import { METHOD } from './header-fields.js';

/**
 * The index of an archive, by the paths of its site.
 * @param files whose local headers were read
 * @param top the directory that is left out of the site, with `/` at its end; or nothing
 */
export function indexOf(files: readonly ArchiveEntry[], top: string): ArchiveIndex {
  return ArchiveIndex.of(
    files.map(({ path, dataOffset: offset, compressedSize, size, method, crc32 }) => ({
      path: path.slice(top.length),
      offset,
      compressedSize,
      size,
      method: method === METHOD.stored ? 'stored' : 'deflated',
      crc32,
    })),
  );
}
