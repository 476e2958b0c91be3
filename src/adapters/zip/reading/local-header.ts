import { type ArchiveReader, PastTheEnd } from './archive-reader.js';

export const SHORTEST_HEADER = 30;
const SIGNATURE = 0x04034b50;

/** What stands before the content of an entry (APPNOTE 4.3.7), as it stands there: nothing of it is checked yet. */
export interface LocalHeader {
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly size: number;
  /** These two are views into the archive's window: they hold until it is asked for something else. */
  readonly name: Buffer;
  readonly extraFields: Buffer;
  /** Where the content starts. */
  readonly dataOffset: number;
}

/** @returns undefined where there is no header, or not all of one */
export function readLocalHeader(archive: ArchiveReader, offset: number): LocalHeader | undefined {
  try {
    const fixed = archive.slice(offset, SHORTEST_HEADER);
    if (fixed.readUInt32LE(0) !== SIGNATURE) return undefined;
    const nameLength = fixed.readUInt16LE(26);
    const length = SHORTEST_HEADER + nameLength + fixed.readUInt16LE(28);
    const whole = archive.slice(offset, length);
    return {
      flags: whole.readUInt16LE(6),
      method: whole.readUInt16LE(8),
      crc32: whole.readUInt32LE(14),
      compressedSize: whole.readUInt32LE(18),
      size: whole.readUInt32LE(22),
      name: whole.subarray(SHORTEST_HEADER, SHORTEST_HEADER + nameLength),
      extraFields: whole.subarray(SHORTEST_HEADER + nameLength),
      dataOffset: offset + length,
    };
  } catch (error) {
    if (error instanceof PastTheEnd) return undefined;
    throw error;
  }
}
