import { crc32, deflateRawSync } from 'node:zlib';

/** Fields of both headers of an entry. Fields that are left out are derived from the content, and right. */
export interface HeaderFields {
  readonly name?: string | Buffer;
  readonly flags?: number;
  /** 0 stores, 8 deflates; anything else is only claimed, and the content stored. */
  readonly method?: number;
  readonly crc32?: number;
  readonly compressedSize?: number;
  readonly size?: number;
  readonly extra?: Buffer;
}

export interface ZipEntry extends HeaderFields {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** The bytes that stand in the archive, in place of the compressed content. */
  readonly data?: Buffer;
  /** Fields in which one header differs from the other. */
  readonly local?: HeaderFields & { readonly signature?: number };
  readonly central?: HeaderFields & { readonly signature?: number };
  /** Host in the upper byte: 3 is Unix, 0 is DOS. */
  readonly madeBy?: number;
  /** A Unix mode goes into the upper 16 bits: see `unixMode`. */
  readonly attributes?: number;
  readonly comment?: string;
  readonly disk?: number;
  /** Offset of the local header that the central one gives. */
  readonly offset?: number;
  /** Data descriptor after the content, with bit 3 set and zeros in the local header; a Buffer is written as it is. */
  readonly descriptor?: 'signed' | 'unsigned' | 'signed64' | 'unsigned64' | Buffer;
  /** Sizes and offset go into zip64 fields, of both headers. */
  readonly zip64?: boolean;
  /** Foreign bytes behind everything else of this entry. */
  readonly after?: Buffer;
  /** Writes the central header only: a second one for a local header that is there already. */
  readonly centralOnly?: boolean;
}

export interface EndFields {
  readonly disk?: number;
  readonly directoryDisk?: number;
  readonly entriesHere?: number;
  readonly entries?: number;
  readonly directorySize?: number;
  readonly directoryOffset?: number;
}

export interface ZipShape {
  /** Foreign bytes before the first entry; offsets count from the start of the file all the same. */
  readonly prefix?: Buffer;
  readonly beforeDirectory?: Buffer;
  readonly afterDirectory?: Buffer;
  readonly comment?: Buffer;
  readonly commentLength?: number;
  /** Foreign bytes behind the end record. */
  readonly suffix?: Buffer;
  readonly end?: EndFields;
  /** Writes the zip64 end records too; the classic one then refers to them. */
  readonly zip64?: EndFields & { readonly locatorOffset?: number; readonly recordLength?: number };
}

/** A plain archive of these files, deflated. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  return writeZip(Object.entries(files).map(([name, content]) => ({ name, content })));
}

/** An archive byte by byte: right by default, and wrong wherever a field says so. */
export function writeZip(entries: readonly ZipEntry[], shape: ZipShape = {}): Buffer {
  const parts: Buffer[] = [shape.prefix ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let offset = shape.prefix?.length ?? 0;
  for (const entry of entries) {
    const headers = headersOf(entry, offset);
    directory.push(headers.central);
    if (entry.centralOnly) continue;
    parts.push(headers.local);
    offset += headers.local.length;
  }
  const before = shape.beforeDirectory ?? Buffer.alloc(0);
  const after = shape.afterDirectory ?? Buffer.alloc(0);
  const records = Buffer.concat(directory);
  const start = offset + before.length;
  const end = endRecords(entries.length, records.length, start, start + records.length + after.length, shape);
  return Buffer.concat([...parts, before, records, after, ...end, shape.suffix ?? Buffer.alloc(0)]);
}

/** Attributes that say a Unix mode, for example `unixMode(0o120777)` for a symbolic link. */
export const unixMode = (mode: number): number => (mode << 16) >>> 0;

export function extraField(id: number, data: Buffer): Buffer {
  return Buffer.concat([uint16(id), uint16(data.length), data]);
}

/** The Info-ZIP Unicode path field; `rawName` is the name whose CRC it carries. */
export function unicodePath(name: string | Buffer, rawName: string | Buffer): Buffer {
  return extraField(0x7075, Buffer.concat([Buffer.of(1), uint32(crc32(rawName)), Buffer.from(name)]));
}

function headersOf(entry: ZipEntry, position: number): { local: Buffer; central: Buffer } {
  const { content: given = '' } = entry;
  const content = typeof given === 'string' ? Buffer.from(given) : given;
  const method = entry.method ?? (content.length === 0 ? 0 : 8);
  const data = entry.data ?? (method === 8 ? deflateRawSync(content) : content);
  const right = { crc32: crc32(content), compressedSize: data.length, size: content.length };
  const both = { ...right, flags: defaultFlags(entry), extra: Buffer.alloc(0), ...entry, method };
  const unknown = entry.descriptor === undefined ? {} : { crc32: 0, compressedSize: 0, size: 0 };
  const local = { ...both, ...unknown, ...entry.local };
  const central = { ...both, ...entry.central };
  const offset = entry.offset ?? position;
  const name = Buffer.from(local.name);

  const localExtra = entry.zip64
    ? Buffer.concat([
        local.extra,
        extraField(1, Buffer.concat([uint64(local.size), uint64(local.compressedSize)])),
      ])
    : local.extra;
  return {
    local: Buffer.concat([
      uint32(entry.local?.signature ?? 0x04034b50),
      uint16(entry.zip64 ? 45 : 20),
      ...commonFields(local, entry.zip64),
      uint16(name.length),
      uint16(localExtra.length),
      name,
      localExtra,
      data,
      descriptorOf(entry, both),
      entry.after ?? Buffer.alloc(0),
    ]),
    central: centralHeader(entry, central, offset),
  };
}

type Fields = Required<HeaderFields>;

function centralHeader(entry: ZipEntry, fields: Fields, offset: number): Buffer {
  const name = Buffer.from(fields.name);
  const comment = Buffer.from(entry.comment ?? '');
  const wide = [uint64(fields.size), uint64(fields.compressedSize), uint64(offset)];
  const extra = entry.zip64
    ? Buffer.concat([fields.extra, extraField(1, Buffer.concat(wide))])
    : fields.extra;
  return Buffer.concat([
    uint32(entry.central?.signature ?? 0x02014b50),
    uint16(entry.madeBy ?? (3 << 8) | 20),
    uint16(entry.zip64 ? 45 : 20),
    ...commonFields(fields, entry.zip64),
    uint16(name.length),
    uint16(extra.length),
    uint16(comment.length),
    uint16(entry.disk ?? 0),
    uint16(0),
    uint32(entry.attributes ?? 0),
    uint32(entry.zip64 ? 0xffffffff : offset),
    name,
    extra,
    comment,
  ]);
}

/** Writes the fields from the flags to the sizes, which both headers have. The time is 2020-01-01 00:00. */
function commonFields(fields: Fields, isZip64 = false): Buffer[] {
  return [
    uint16(fields.flags),
    uint16(fields.method),
    uint16(0),
    uint16((40 << 9) | (1 << 5) | 1),
    uint32(fields.crc32),
    uint32(isZip64 ? 0xffffffff : fields.compressedSize),
    uint32(isZip64 ? 0xffffffff : fields.size),
  ];
}

function defaultFlags({ name, descriptor }: ZipEntry): number {
  const isUtf8 = typeof name === 'string' && /[^\x00-\x7f]/.test(name);
  return (descriptor === undefined ? 0 : 0x0008) | (isUtf8 ? 0x0800 : 0);
}

function descriptorOf({ descriptor }: ZipEntry, fields: Fields): Buffer {
  if (descriptor === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(descriptor)) return descriptor;
  const size = descriptor.endsWith('64') ? uint64 : uint32;
  const signature = descriptor.startsWith('signed') ? uint32(0x08074b50) : Buffer.alloc(0);
  return Buffer.concat([signature, uint32(fields.crc32), size(fields.compressedSize), size(fields.size)]);
}

function endRecords(count: number, length: number, start: number, end: number, shape: ZipShape): Buffer[] {
  const right = {
    disk: 0,
    directoryDisk: 0,
    entriesHere: count,
    entries: count,
    directorySize: length,
    directoryOffset: start,
  };
  const { zip64, comment = Buffer.alloc(0) } = shape;
  const referring = {
    ...right,
    entriesHere: 0xffff,
    entries: 0xffff,
    directorySize: 0xffffffff,
    directoryOffset: 0xffffffff,
  };
  const classic = { ...(zip64 ? referring : right), ...shape.end };
  const record = Buffer.concat([
    uint32(0x06054b50),
    uint16(classic.disk),
    uint16(classic.directoryDisk),
    uint16(classic.entriesHere),
    uint16(classic.entries),
    uint32(classic.directorySize),
    uint32(classic.directoryOffset),
    uint16(shape.commentLength ?? comment.length),
    comment,
  ]);
  if (zip64 === undefined) return [record];
  const wide = { ...right, ...zip64 };
  return [
    uint32(0x06064b50),
    uint64(zip64.recordLength ?? 44),
    uint16(45),
    uint16(45),
    uint32(wide.disk),
    uint32(wide.directoryDisk),
    uint64(wide.entriesHere),
    uint64(wide.entries),
    uint64(wide.directorySize),
    uint64(wide.directoryOffset),
    uint32(0x07064b50),
    uint32(0),
    uint64(zip64.locatorOffset ?? end),
    uint32(1),
    record,
  ];
}

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16LE(value & 0xffff);
  return buffer;
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value >>> 0);
  return buffer;
}

function uint64(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
}
