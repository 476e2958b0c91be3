import { DeflatedFiles } from '../../application/deflated-files.js';
import type { ArchiveEntry } from './archive-entry.js';
import { isWorthSending } from './gzip-files.js';

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
