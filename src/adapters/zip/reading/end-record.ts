import { refuse } from '../../../domain/refusal/refuse.js';
import type { ArchiveReader } from './archive-reader.js';

const RECORD_LENGTH = 22;
const LOCATOR_LENGTH = 20;
const ZIP64_RECORD_LENGTH = 56;
const LOCATOR_SIGNATURE = 0x07064b50;
const HEADER_SIGNATURE = 0x02014b50;

/** Position of the central directory. */
export interface DirectoryBounds {
  readonly start: number;
  readonly end: number;
  /** Declared number of headers. */
  readonly entries: number;
}

interface EndFields {
  readonly disk: number;
  readonly directoryDisk: number;
  readonly entriesHere: number;
  readonly entries: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Checks that the end of the archive can be read in one way only: records of one disk that agree with each other
 * and stand directly behind the directory they describe.
 * @param commentLength of the end record that yauzl found
 * @throws Refusal `invalid_archive`
 */
export function readDirectoryBounds(archive: ArchiveReader, commentLength: number): DirectoryBounds {
  const recordStart = archive.size - commentLength - RECORD_LENGTH;
  const record = classicFields(archive.slice(recordStart, RECORD_LENGTH));
  const locatorStart = recordStart - LOCATOR_LENGTH;
  const hasZip64 =
    locatorStart >= 0 && archive.slice(locatorStart, LOCATOR_LENGTH).readUInt32LE(0) === LOCATOR_SIGNATURE;

  if (!hasZip64) return bounds(archive, record, recordStart);

  const locator = archive.slice(locatorStart, LOCATOR_LENGTH);
  const zip64Start = uint64(locator, 8);
  if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) > 1) throw severalDisks();
  if (zip64Start + ZIP64_RECORD_LENGTH !== locatorStart) {
    throw refuse.invalidArchive(
      'its zip64 end record is not where its locator says, or of an unknown length',
    );
  }
  const zip64 = zip64Fields(archive.slice(zip64Start, ZIP64_RECORD_LENGTH));
  if (!agrees(record, zip64)) {
    throw refuse.invalidArchive('its end record and its zip64 end record disagree');
  }
  return bounds(archive, zip64, zip64Start);
}

function bounds(archive: ArchiveReader, fields: EndFields, end: number): DirectoryBounds {
  if (fields.disk !== 0 || fields.directoryDisk !== 0) throw severalDisks();
  if (fields.entriesHere !== fields.entries) {
    throw refuse.invalidArchive('its end record has two different entry counts');
  }
  const start = end - fields.size;
  if (start !== fields.offset) {
    const isShifted =
      start > fields.offset &&
      fields.size >= 4 &&
      archive.slice(start, 4).readUInt32LE(0) === HEADER_SIGNATURE;
    throw refuse.invalidArchive(
      isShifted
        ? `its central directory starts ${start - fields.offset} bytes after the offset in its end record, as if data had been prepended`
        : 'its central directory does not end where its end record starts',
    );
  }
  return { start, end, entries: fields.entries };
}

/** Checks that each classic field agrees with the zip64 record, or refers to it. */
function agrees(classic: EndFields, zip64: EndFields): boolean {
  const same = (field: keyof EndFields, marker: number) =>
    classic[field] === marker || classic[field] === zip64[field];
  return (
    same('disk', 0xffff) &&
    same('directoryDisk', 0xffff) &&
    same('entriesHere', 0xffff) &&
    same('entries', 0xffff) &&
    same('size', 0xffffffff) &&
    same('offset', 0xffffffff)
  );
}

function classicFields(record: Buffer): EndFields {
  return {
    disk: record.readUInt16LE(4),
    directoryDisk: record.readUInt16LE(6),
    entriesHere: record.readUInt16LE(8),
    entries: record.readUInt16LE(10),
    size: record.readUInt32LE(12),
    offset: record.readUInt32LE(16),
  };
}

function zip64Fields(record: Buffer): EndFields {
  if (uint64(record, 4) !== ZIP64_RECORD_LENGTH - 12) {
    throw refuse.invalidArchive('its zip64 end record is of an unknown length');
  }
  return {
    disk: record.readUInt32LE(16),
    directoryDisk: record.readUInt32LE(20),
    entriesHere: uint64(record, 24),
    entries: uint64(record, 32),
    size: uint64(record, 40),
    offset: uint64(record, 48),
  };
}

/** Inexact above 2^53, where every comparison with a file offset fails anyway. */
export function uint64(buffer: Buffer, offset: number): number {
  return buffer.readUInt32LE(offset + 4) * 2 ** 32 + buffer.readUInt32LE(offset);
}

const severalDisks = () => refuse.invalidArchive('it is one part of an archive split over several files');
