import { ZIP64_SIZES } from './extra-fields.js';
import { FLAG, type METHOD } from './header-fields.js';

/** What an archive says of one file. */
export interface PackedEntry {
  readonly name: Buffer;
  readonly modified: Date;
  readonly method: (typeof METHOD)[keyof typeof METHOD];
  readonly crc32: number;
  /** Bytes in the archive, and bytes of content. */
  readonly compressedSize: number;
  readonly size: number;
  readonly headerOffset: number;
}

const UNIX = 3 << 8;
const REGULAR_FILE = 0o100644;
/** In a field of 16 or 32 bits: the value stands in a zip64 record. */
const IN_ZIP64 = { short: 0xffff, long: 0xffffffff } as const;
const VERSION = { deflate: 20, zip64: 45 } as const;

/** APPNOTE 4.3.7. Its length depends on `isLarge` alone, so it can be written again once sizes and CRC are known. */
export function localHeader(entry: PackedEntry, isLarge: boolean): Buffer {
  const sizes = isLarge ? zip64Field([entry.size, entry.compressedSize]) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(isLarge ? VERSION.zip64 : VERSION.deflate, 4);
  writeCommon(header, 6, entry, isLarge);
  header.writeUInt16LE(sizes.length, 28);
  return Buffer.concat([header, entry.name, sizes]);
}

/** APPNOTE 4.3.12. */
export function centralHeader(entry: PackedEntry): Buffer {
  const isLarge = Math.max(entry.size, entry.compressedSize) >= IN_ZIP64.long;
  const isFar = entry.headerOffset >= IN_ZIP64.long;
  const wide = [
    ...(isLarge ? [entry.size, entry.compressedSize] : []),
    ...(isFar ? [entry.headerOffset] : []),
  ];
  const field = wide.length === 0 ? Buffer.alloc(0) : zip64Field(wide);
  const version = wide.length === 0 ? VERSION.deflate : VERSION.zip64;
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(UNIX | version, 4);
  header.writeUInt16LE(version, 6);
  writeCommon(header, 8, entry, isLarge);
  header.writeUInt16LE(field.length, 30);
  header.writeUInt32LE(REGULAR_FILE * 0x10000, 38);
  header.writeUInt32LE(isFar ? IN_ZIP64.long : entry.headerOffset, 42);
  return Buffer.concat([header, entry.name, field]);
}

/** APPNOTE 4.3.14 to 4.3.16: the end of an archive, with zip64 records only where they are needed. */
export function endRecords(entries: number, directoryStart: number, directoryLength: number): Buffer {
  const isZip64 = entries >= IN_ZIP64.short || directoryStart + directoryLength >= IN_ZIP64.long;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  const count = Math.min(entries, IN_ZIP64.short);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(Math.min(directoryLength, IN_ZIP64.long), 12);
  end.writeUInt32LE(Math.min(directoryStart, IN_ZIP64.long), 16);
  if (!isZip64) return end;

  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(BigInt(record.length - 12), 4);
  record.writeUInt16LE(UNIX | VERSION.zip64, 12);
  record.writeUInt16LE(VERSION.zip64, 14);
  for (const [index, value] of [entries, entries, directoryLength, directoryStart].entries()) {
    record.writeBigUInt64LE(BigInt(value), 24 + 8 * index);
  }
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(directoryStart + directoryLength), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator, end]);
}

/** What both headers say in the same order, from the flags to the length of the name. */
function writeCommon(header: Buffer, at: number, entry: PackedEntry, isLarge: boolean): void {
  const { time, date } = dosTimeOf(entry.modified);
  header.writeUInt16LE(FLAG.utf8, at);
  header.writeUInt16LE(entry.method, at + 2);
  header.writeUInt16LE(time, at + 4);
  header.writeUInt16LE(date, at + 6);
  header.writeUInt32LE(entry.crc32, at + 8);
  header.writeUInt32LE(isLarge ? IN_ZIP64.long : entry.compressedSize, at + 12);
  header.writeUInt32LE(isLarge ? IN_ZIP64.long : entry.size, at + 16);
  header.writeUInt16LE(entry.name.length, at + 20);
}

function zip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(ZIP64_SIZES, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return field;
}

/** Two seconds are the smallest step; the years are those from 1980 to 2107. UTC, so that the zone does not matter. */
function dosTimeOf(modified: Date): { readonly time: number; readonly date: number } {
  const year = modified.getUTCFullYear();
  if (!(year >= 1980)) return { time: 0, date: (1 << 5) | 1 };
  if (year > 2107) return { time: 0xbf7d, date: 0xff9f };
  return {
    time: (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate(),
  };
}
