import { describe } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { writeZip, type ZipEntry, type ZipShape, zipOf } from '../support/zip-writer.js';
import { type HostileArchive, refusesAll, unpacking } from './unpacking.js';

const zip = unpacking();
const index = { name: 'index.html', content: 'home' };
const guide = { name: 'guide.html', content: 'guide '.repeat(50) };
const plain = writeZip([index, guide]);

function shaped(
  says: string,
  by: string,
  shape: ZipShape,
  entries: ZipEntry[] = [index, guide],
): HostileArchive {
  return { says, by, archive: () => writeZip(entries, shape) };
}

const NOT_ZIP = 'it is not a zip file';
const TRUNCATED = 'its end record is missing; it is truncated, or followed by other data';

describe('A file that is not a whole archive', () => {
  refusesAll(zip, [
    { says: 'it is empty', by: 'no bytes', archive: () => Buffer.alloc(0) },
    { says: NOT_ZIP, by: 'one byte', archive: () => Buffer.of(0x50) },
    { says: NOT_ZIP, by: 'text', archive: () => Buffer.from('<html>'.repeat(100)) },
    { says: NOT_ZIP, by: 'zeros', archive: () => Buffer.alloc(100_000) },
    { says: NOT_ZIP, by: 'a gzip', archive: () => Buffer.from('1f8b0800000000000003', 'hex') },
    { says: TRUNCATED, by: 'the last byte is gone', archive: () => plain.subarray(0, -1) },
    { says: TRUNCATED, by: 'half is gone', archive: () => plain.subarray(0, plain.length / 2) },
    { says: TRUNCATED, by: 'only a signature', archive: () => Buffer.from('PK\x03\x04') },
    {
      says: TRUNCATED,
      by: 'more data behind than a comment can hold',
      archive: () => Buffer.concat([plain, Buffer.alloc(70_000, 1)]),
    },
    {
      says: 'its central directory does not end where its end record starts',
      by: 'the front is gone',
      archive: () => plain.subarray(10),
    },
    {
      says: 'its central directory does not end where its end record starts',
      by: 'an end record and nothing else',
      archive: () => plain.subarray(-22),
    },
  ]);
});

const AFTER_END = 'it has data after its end record, or an end record inside its comment';
const SPLIT = 'it is one part of an archive split over several files';
const COUNT = 'its central directory has a different number of entries than its end record';
const DIRECTORY_END = 'its central directory does not end where its end record starts';
const SHIFTED = (bytes: number) =>
  `its central directory starts ${bytes} bytes after the offset in its end record, as if data had been prepended`;

describe('An archive whose end is ambiguous', () => {
  refusesAll(zip, [
    shaped(AFTER_END, 'a byte behind it', { suffix: Buffer.of(0) }),
    shaped(AFTER_END, 'a page behind it', { suffix: Buffer.from('<html>') }),
    shaped(AFTER_END, 'a comment shorter than announced', { comment: Buffer.from('hi'), commentLength: 3 }),
    shaped(AFTER_END, 'an end record in the comment', {
      comment: Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(40)]),
    }),
    shaped(SHIFTED(plain.length), 'a whole second archive in the comment', {
      comment: zipOf({ 'evil.html': 'x' }),
    }),
    {
      says: 'it does not start with its first entry',
      by: 'a second archive in the comment, made to fit',
      archive: () => {
        const visible = writeZip([index], { comment: Buffer.alloc(0), commentLength: 0 });
        const hidden = writeZip([guide], { prefix: visible });
        hidden.writeUInt16LE(hidden.length - visible.length, visible.length - 2);
        return hidden;
      },
    },
    {
      says: SHIFTED(plain.length),
      by: 'two archives, one behind the other',
      archive: () => Buffer.concat([plain, plain]),
    },
    shaped('its end record has two different entry counts', 'here and in all', { end: { entriesHere: 1 } }),
    shaped(COUNT, 'too few', { end: { entries: 1, entriesHere: 1 } }),
    shaped(COUNT, 'none', { end: { entries: 0, entriesHere: 0 } }),
    shaped(COUNT, 'too many', { end: { entries: 3, entriesHere: 3 } }),
    shaped(COUNT, 'far too many', { end: { entries: 65_535, entriesHere: 65_535 } }),
    shaped(SHIFTED(1), 'an offset too small', { end: { directoryOffset: plain.length - 22 - 112 - 1 } }),
    shaped(DIRECTORY_END, 'an offset too large', { end: { directoryOffset: 0xfffffff0 } }),
    shaped(DIRECTORY_END, 'a size too large', { end: { directorySize: 0xfffffff0 } }),
    shaped(DIRECTORY_END, 'bytes between them', { afterDirectory: Buffer.alloc(8, 1) }),
    shaped(SPLIT, 'disk 1', { end: { disk: 1 } }),
    shaped(SPLIT, 'a directory on disk 1', { end: { directoryDisk: 1 } }),
    {
      says: 'is on a different disk of a split archive',
      by: 'disk 1',
      entry: 'guide.html',
      archive: () => writeZip([index, { ...guide, disk: 1 }]),
    },
  ]);
});

const LOCATOR = 'its zip64 end record is not where its locator says';
const LENGTH = `${LOCATOR}, or of an unknown length`;
const DISAGREE = 'its end record and its zip64 end record disagree';

describe('An archive with unsound zip64 records', () => {
  const wide = writeZip([{ ...index, zip64: true }], { zip64: {} });
  const withoutRecord = Buffer.concat([wide.subarray(0, -98), wide.subarray(-42)]);
  refusesAll(zip, [
    shaped(LOCATOR, 'a locator beyond the end', { zip64: { locatorOffset: 2 ** 40 } }),
    shaped(LOCATOR, 'a locator beyond all numbers', { zip64: { locatorOffset: 2 ** 62 } }),
    shaped(LOCATOR, 'a locator that points at an entry', { zip64: { locatorOffset: 0 } }),
    { says: LOCATOR, by: 'the record is gone', archive: () => withoutRecord },
    {
      says: LENGTH,
      by: 'bytes between record and locator',
      archive: () => Buffer.concat([wide.subarray(0, -42), Buffer.alloc(4), wide.subarray(-42)]),
    },
    shaped('its zip64 end record is of an unknown length', 'a longer record', {
      zip64: { recordLength: 60 },
    }),
    shaped(DISAGREE, 'number of entries', { zip64: {}, end: { entries: 1 } }),
    shaped(DISAGREE, 'place of the directory', { zip64: {}, end: { directoryOffset: 7 } }),
    shaped(DISAGREE, 'size of the directory', { zip64: {}, end: { directorySize: 7 } }),
    shaped(COUNT, 'too many entries', { zip64: { entries: 1e15, entriesHere: 1e15 } }),
    shaped(DIRECTORY_END, 'a directory of exabytes', { zip64: { directorySize: 2 ** 62 } }),
    shaped(SPLIT, 'disk 1', { zip64: { disk: 1 } }),
    shaped(SPLIT, 'a directory on disk 1', { zip64: { directoryDisk: 1 }, end: { directoryDisk: 0xffff } }),
  ]);
});

const OVERLAPS = 'overlaps another entry';
const NO_HEADER = 'has no local header at the offset in the central directory';
const UNOWNED = 'is followed by data that belongs to no entry';
const stowaway = zipOf({ 'stowaway.html': 'evil' }).subarray(0, 49);

function at(says: string, by: string, entry: string, archive: () => Buffer): HostileArchive {
  return { says, by, entry, archive };
}

describe('An archive with bytes outside of exactly one entry', () => {
  refusesAll(zip, [
    shaped('it does not start with its first entry', 'a script before it', {
      prefix: Buffer.from('#!/bin/sh\n'),
    }),
    shaped('it does not start with its first entry', 'zeros before it', { prefix: Buffer.alloc(16) }),
    {
      says: SHIFTED(10),
      by: 'a script before it, not counted by the offsets',
      archive: () => Buffer.concat([Buffer.from('#!/bin/sh\n'), plain]),
    },
    at(OVERLAPS, 'one content under two names', 'index.html', () =>
      writeZip([index, { name: 'copy.html', content: 'home', offset: 0, centralOnly: true }]),
    ),
    at(OVERLAPS, "Fifield's quoted local headers", 'a', () => quotedOverlap()),
    at(OVERLAPS, 'content longer than its place', 'index.html', () =>
      writeZip([{ name: 'index.html', method: 0, content: 'home', compressedSize: 14, size: 14 }, guide]),
    ),
    at('extends into the central directory', 'the last entry', 'guide.html', () =>
      writeZip([index, { ...guide, compressedSize: 100 }]),
    ),
    at('has content that extends beyond the end of the archive', 'the last entry', 'guide.html', () =>
      writeZip([index, { ...guide, compressedSize: 1e6 }]),
    ),
    at(OVERLAPS, 'an offset into content', 'index.html', () => writeZip([index, { ...guide, offset: 33 }])),
    at(NO_HEADER, 'an offset beyond the end', 'guide.html', () =>
      writeZip([index, { ...guide, offset: 1e8 }]),
    ),
    at(NO_HEADER, 'an offset at the central directory', 'guide.html', () =>
      writeZip([index, { ...guide, offset: writeZip([index, guide]).length - 22 - 112 }]),
    ),
    at(NO_HEADER, 'another signature', 'guide.html', () =>
      writeZip([index, { ...guide, local: { signature: 0x04034b51 } }]),
    ),
    at(UNOWNED, 'a stowaway between two entries', 'index.html', () =>
      writeZip([{ ...index, after: stowaway }, guide]),
    ),
    at(UNOWNED, 'a stowaway behind the last entry', 'guide.html', () =>
      writeZip([index, guide], { beforeDirectory: stowaway }),
    ),
    at(UNOWNED, 'a stowaway behind a descriptor', 'index.html', () =>
      writeZip([{ ...index, descriptor: 'signed', after: stowaway }, guide]),
    ),
    at(UNOWNED, 'a stowaway behind padding', 'index.html', () =>
      writeZip([{ ...index, after: Buffer.concat([Buffer.alloc(9000), stowaway]) }, guide]),
    ),
    at(UNOWNED, 'one byte', 'guide.html', () => writeZip([index, guide], { beforeDirectory: Buffer.of(1) })),
    {
      says: COUNT,
      by: 'a central header of another kind',
      archive: () => writeZip([index, { ...guide, central: { signature: 0x02014b51 } }]),
    },
  ]);
});

/** Each local header but the last is quoted as a stored deflate block of the one before: one kernel, many files. */
function quotedOverlap(): Buffer {
  const kernel = writeZip([{ name: 'b', content: 'x'.repeat(1000) }]);
  const local = kernel.subarray(0, 31 + deflateRawSync('x'.repeat(1000)).length);
  const quote = Buffer.alloc(5);
  quote.writeUInt16LE(31, 1);
  quote.writeUInt16LE(~31 & 0xffff, 3);
  const data = Buffer.concat([quote, local]);
  const content = Buffer.concat([local.subarray(0, 31), Buffer.alloc(1000, 'x')]);
  return writeZip([
    { name: 'a', content, data, method: 8 },
    { name: 'b', content: 'x'.repeat(1000), offset: 31 + 5, centralOnly: true },
  ]);
}
