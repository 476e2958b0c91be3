import type { ArchiveEntry } from './archive-entry.js';
import { uint64 } from './end-record.js';

const SIGNATURE = 0x08074b50;

/** Forms of a descriptor: with or without a signature, with sizes of 4 or 8 bytes. Longest first. */
const FORMS = [
  { signed: true, wide: true, length: 24 },
  { signed: false, wide: true, length: 20 },
  { signed: true, wide: false, length: 16 },
  { signed: false, wide: false, length: 12 },
] as const;

export const MAX_DESCRIPTOR = 24;

/**
 * Returns the length of the data descriptor at the start of `tail`, the bytes after an entry's content.
 * @returns undefined when there is none that agrees with the central directory
 */
export function descriptorLength(tail: Buffer, entry: ArchiveEntry): number | undefined {
  return FORMS.find(({ signed, wide, length }) => {
    if (tail.length < length || (signed && tail.readUInt32LE(0) !== SIGNATURE)) return false;
    const crc = signed ? 4 : 0;
    const compressed = crc + 4;
    return (
      tail.readUInt32LE(crc) === entry.crc32 &&
      (wide ? uint64(tail, compressed) : tail.readUInt32LE(compressed)) === entry.compressedSize &&
      (wide ? uint64(tail, compressed + 8) : tail.readUInt32LE(compressed + 4)) === entry.size
    );
  })?.length;
}
