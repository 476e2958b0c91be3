import { DeflatedFiles } from '../../application/index.js';
import type { ArchiveEntry } from './archive-entry.js';
import { METHOD } from './header-fields.js';

/** A compressed form that saves less than this part of a file is not worth a second look at the archive. */
const LEAST_SAVED = 0.1;

/** Which of the files of an archive can be sent as they stand in it, once their content was checked. */
export function deflatedFilesOf(files: readonly ArchiveEntry[], top: string): DeflatedFiles {
  return DeflatedFiles.of(
    new Map(
      files.map((entry) => {
        const { method, dataOffset: offset, compressedSize: length, size, crc32 } = entry;
        const isWorthIt = method === METHOD.deflated && length < (1 - LEAST_SAVED) * size;
        return [entry.path.slice(top.length), isWorthIt ? { offset, length, size, crc32 } : undefined];
      }),
    ),
  );
}
