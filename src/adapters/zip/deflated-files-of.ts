import { DeflatedFiles } from '../../application/deflated-files.js';
import type { ArchiveEntry } from './archive-entry.js';
import { METHOD } from './header-fields.js';

/** Least share of a file that its compressed form has to save: less is not worth a second look at the archive. */
const MIN_SAVED = 0.1;

/** Which of the files of an archive can be sent as they stand in it, once their content was checked. */
export function deflatedFilesOf(files: readonly ArchiveEntry[], top: string): DeflatedFiles {
  return DeflatedFiles.of(
    new Map(
      files.map((entry) => {
        const { dataOffset: offset, compressedSize: length, size, crc32 } = entry;
        const file = isWorthSending(entry) ? { offset, length, size, crc32 } : undefined;
        return [entry.path.slice(top.length), file];
      }),
    ),
  );
}

function isWorthSending({ method, compressedSize, size }: ArchiveEntry): boolean {
  return method === METHOD.deflated && compressedSize < (1 - MIN_SAVED) * size;
}
