import type { ExtraField } from 'yauzl';
import { refuse } from '../../../domain/refusal/refuse.js';
import type { ArchiveEntry } from './archive-entry.js';
import { type ArchiveReader, PastTheEnd, READ_AHEAD } from './archive-reader.js';
import type { CentralDirectory } from './central-directory.js';
import { uint64 } from './end-record.js';
import { decodeName } from './entry-name.js';
import { extraFieldsOf, FLAG, hasDoubledField, UNICODE_PATH, ZIP64_SIZES } from './header-fields.js';

const NO_HEADER = 'has no local header at the offset in the central directory';
const IN_ZIP64_FIELD = 0xffffffff;
const SHORTEST_HEADER = 30;
const HEADER_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
/** Forms of a descriptor: with or without a signature, with sizes of 4 or 8 bytes. Longest first. */
const FORMS = [
  { signed: true, wide: true, length: 24 },
  { signed: false, wide: true, length: 20 },
  { signed: true, wide: false, length: 16 },
  { signed: false, wide: false, length: 12 },
] as const;
const MAX_DESCRIPTOR = 24;

/**
 * Walks the archive from its first byte to its central directory: every local header must say what the central
 * one says, and every byte must belong to exactly one entry (zeros between entries are padding). So a reader that
 * trusts local headers sees the same files, nothing overlaps and nothing hides.
 *
 * Sorts the entries by their offset, and sets the offset of their content.
 * @throws Refusal `invalid_archive`
 */
export function checkLocalHeaders(archive: ArchiveReader, directory: CentralDirectory): void {
  archive.readAhead = READ_AHEAD.headers;
  const { entries, start: end } = directory;
  entries.sort((a, b) => a.headerOffset - b.headerOffset);
  const first = entries[0]?.headerOffset ?? end;
  if (first !== 0) throw refuse.invalidArchive('it does not start with its first entry');
  const last = entries.at(-1);
  if (last !== undefined && last.headerOffset + SHORTEST_HEADER > end) {
    throw refuse.invalidArchive(NO_HEADER, last.name);
  }

  for (const [index, entry] of entries.entries()) {
    const header = readLocalHeader(archive, entry.headerOffset);
    if (header === undefined) throw refuse.invalidArchive(NO_HEADER, entry.name);
    const problem = disagreement(entry, header);
    if (problem !== undefined) throw refuse.invalidArchive(problem, entry.name);
    entry.dataOffset = header.dataOffset;
    checkTail(archive, entry, header, entries[index + 1]?.headerOffset ?? end, end);
  }
}

function disagreement(entry: ArchiveEntry, local: LocalHeader): string | undefined {
  const differsIn = (what: string) => `has ${what} in its local header than in the central directory`;
  if (local.name.toString('latin1') !== entry.rawName) return differsIn('a different name');
  if (local.method !== entry.method) return differsIn('a different compression method');
  if ((local.flags ^ entry.flags) & flagsThatMatter(entry)) return differsIn('different flags');

  const extraFields = extraFieldsOf(local.extraFields);
  if (extraFields === undefined) return 'has extra fields in its local header that do not add up';
  if (hasDoubledField(extraFields)) return 'has the same extra field twice';
  if (renames(extraFields, entry, local)) return differsIn('a different name');

  const zip64 = extraFields.find((field) => field.id === ZIP64_SIZES)?.data;
  const size = wideSize(local.size, zip64, 0);
  const compressedSize = wideSize(local.compressedSize, zip64, local.size === IN_ZIP64_FIELD ? 8 : 0);
  const mayBeUnknown = (local.flags & FLAG.descriptor) !== 0;
  const same = (here: number | undefined, there: number) => here === there || (mayBeUnknown && here === 0);
  if (!same(local.crc32, entry.crc32)) return differsIn('a different CRC');
  if (!same(size, entry.size) || !same(compressedSize, entry.compressedSize)) {
    return differsIn('a different size');
  }
  return undefined;
}

/**
 * Whether a local Unicode path field gives another name. A field that only the central directory has is no contradiction:
 * few writers put it into both.
 */
function renames(extraFields: readonly ExtraField[], entry: ArchiveEntry, { name }: LocalHeader): boolean {
  if (!extraFields.some((field) => field.id === UNICODE_PATH)) return false;
  const { flags, versionMadeBy } = entry;
  const decoded = decodeName({ raw: name, flags, versionMadeBy, extraFields });
  return 'problem' in decoded || decoded.name !== entry.name;
}

/** The flags that decide how the content is read, and the encoding of a name that is not ASCII. */
function flagsThatMatter({ rawName }: ArchiveEntry): number {
  const reading = FLAG.encrypted | FLAG.descriptor | FLAG.stronglyEncrypted | FLAG.masked;
  return /[\u0080-\u00ff]/.test(rawName) ? reading | FLAG.utf8 : reading;
}

function wideSize(size: number, zip64: Buffer | undefined, offset: number): number | undefined {
  if (size !== IN_ZIP64_FIELD) return size;
  return zip64 !== undefined && zip64.length >= offset + 8 ? uint64(zip64, offset) : undefined;
}

/** Checks the bytes between an entry's content and `next`: a data descriptor, or padding. */
function checkTail(
  archive: ArchiveReader,
  entry: ArchiveEntry,
  local: LocalHeader,
  next: number,
  directoryStart: number,
): void {
  const contentEnd = entry.dataOffset + entry.compressedSize;
  if (contentEnd > archive.size) {
    throw refuse.invalidArchive('has content that extends beyond the end of the archive', entry.name);
  }
  if (contentEnd > directoryStart) {
    throw refuse.invalidArchive('extends into the central directory', entry.name);
  }
  if (contentEnd > next) throw refuse.invalidArchive('overlaps another entry', entry.name);

  let tailEnd = contentEnd;
  if (local.flags & FLAG.descriptor) {
    const tail = archive.slice(contentEnd, Math.min(MAX_DESCRIPTOR, next - contentEnd));
    const length = descriptorLength(tail, entry) ?? 0;
    // Some writers announce a descriptor, but put the sizes into the local header.
    const isNeeded = local.crc32 !== entry.crc32 || local.compressedSize === 0;
    if (length === 0 && (isNeeded || next !== contentEnd)) {
      throw refuse.invalidArchive(
        'has no data descriptor that agrees with the central directory',
        entry.name,
      );
    }
    tailEnd += length;
  }
  if (!isZeros(archive, tailEnd, next)) {
    throw refuse.invalidArchive('is followed by data that belongs to no entry', entry.name);
  }
}

function isZeros(archive: ArchiveReader, start: number, end: number): boolean {
  for (let position = start; position < end; position += READ_AHEAD.headers) {
    const length = Math.min(READ_AHEAD.headers, end - position);
    if (archive.slice(position, length).some((byte) => byte !== 0)) return false;
  }
  return true;
}

/** A local header (APPNOTE 4.3.7), unchecked. */
interface LocalHeader {
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
function readLocalHeader(archive: ArchiveReader, offset: number): LocalHeader | undefined {
  try {
    const fixed = archive.slice(offset, SHORTEST_HEADER);
    if (fixed.readUInt32LE(0) !== HEADER_SIGNATURE) return undefined;
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

/**
 * Returns the length of the data descriptor at the start of `tail`, the bytes after an entry's content.
 * @returns undefined when there is none that agrees with the central directory
 */
function descriptorLength(tail: Buffer, entry: ArchiveEntry): number | undefined {
  return FORMS.find(({ signed, wide, length }) => {
    if (tail.length < length || (signed && tail.readUInt32LE(0) !== DESCRIPTOR_SIGNATURE)) return false;
    const crc = signed ? 4 : 0;
    const compressed = crc + 4;
    return (
      tail.readUInt32LE(crc) === entry.crc32 &&
      (wide ? uint64(tail, compressed) : tail.readUInt32LE(compressed)) === entry.compressedSize &&
      (wide ? uint64(tail, compressed + 8) : tail.readUInt32LE(compressed + 4)) === entry.size
    );
  })?.length;
}
