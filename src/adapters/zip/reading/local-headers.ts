import type { ExtraField } from 'yauzl';
import { refuse } from '../../../domain/refusal.js';
import type { ArchiveEntry } from './archive-entry.js';
import { type ArchiveReader, READ_AHEAD } from './archive-reader.js';
import type { CentralDirectory } from './central-directory.js';
import { descriptorLength, MAX_DESCRIPTOR } from './data-descriptor.js';
import { uint64 } from './end-record.js';
import { decodeName } from './entry-name.js';
import { extraFieldsOf, hasDoubledField, UNICODE_PATH, ZIP64_SIZES } from './extra-fields.js';
import { FLAG } from './header-fields.js';
import { type LocalHeader, readLocalHeader, SHORTEST_HEADER } from './local-header.js';

const NO_HEADER = 'has no local header where the central directory says';
const IN_ZIP64_FIELD = 0xffffffff;

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
  if (local.name.toString('latin1') !== entry.rawName) return differsIn('another name');
  if (local.method !== entry.method) return differsIn('another compression method');
  if ((local.flags ^ entry.flags) & flagsThatMatter(entry)) return differsIn('other flags');

  const extraFields = extraFieldsOf(local.extraFields);
  if (extraFields === undefined) return 'has extra fields in its local header that do not add up';
  if (hasDoubledField(extraFields)) return 'has the same extra field twice';
  if (renames(extraFields, entry, local)) return differsIn('another name');

  const zip64 = extraFields.find((field) => field.id === ZIP64_SIZES)?.data;
  const size = wideSize(local.size, zip64, 0);
  const compressedSize = wideSize(local.compressedSize, zip64, local.size === IN_ZIP64_FIELD ? 8 : 0);
  const mayBeUnknown = (local.flags & FLAG.descriptor) !== 0;
  const same = (here: number | undefined, there: number) => here === there || (mayBeUnknown && here === 0);
  if (!same(local.crc32, entry.crc32)) return differsIn('another CRC');
  if (!same(size, entry.size) || !same(compressedSize, entry.compressedSize)) {
    return differsIn('another size');
  }
  return undefined;
}

/**
 * Whether a local Unicode path field gives another name. One that only the central directory has is no contradiction: few
 * writers put it into both.
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
    throw refuse.invalidArchive('has content that reaches beyond the end of the archive', entry.name);
  }
  if (contentEnd > directoryStart) {
    throw refuse.invalidArchive('reaches into the central directory', entry.name);
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
