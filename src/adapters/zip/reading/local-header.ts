import { type ArchiveReader, PastTheEnd } from './archive-reader.js';

export const SHORTEST_HEADER = 30;
const SIGNATURE = 0x04034b50;

/** A local header (APPNOTE 4.3.7), unchecked. */
export interface LocalHeader {
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly size: number;
  /** This and `extraFields` are views, valid until the next read of the archive. */
  readonly name: Buffer;
  readonly extraFields: Buffer;
  /** Offset of the content. */
  readonly dataOffset: number;
}

/** @returns undefined where there is no complete header */
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
