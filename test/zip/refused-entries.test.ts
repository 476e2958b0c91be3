import { describe } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { extraField, unixMode, writeZip, type ZipEntry } from '../support/zip-writer.js';
import { type HostileArchive, refusesAll, unpacking } from './unpacking.js';

const zip = unpacking();
const index = { name: 'index.html', content: 'home' };
const TEXT = 'evil '.repeat(100);

/** An archive whose second entry is the one at fault. */
function entry(says: string, by: string, fields: Partial<ZipEntry>): HostileArchive {
  const name = fields.name?.toString() ?? 'evil.html';
  const archive = () =>
    writeZip([index, { name, content: TEXT, ...fields }, { name: 'z.html', content: 'z' }]);
  return { says, by, entry: name, archive };
}

const special = (what: string) => `is ${what}; only files and directories are allowed`;
const DIRECTORY_WITHOUT_SLASH = "is a directory, but its name does not end with '/'";

describe('An entry that is neither a file nor a directory', () => {
  refusesAll(zip, [
    entry(special('a symbolic link'), 'absolute', { content: '/etc/passwd', attributes: unixMode(0o120777) }),
    entry(special('a symbolic link'), 'relative', { content: '../..', attributes: unixMode(0o120777) }),
    entry(special('a symbolic link'), 'stored', { method: 0, attributes: unixMode(0o120777) }),
    entry(special('a symbolic link'), 'from macOS', { madeBy: 19 << 8, attributes: unixMode(0o120755) }),
    entry(special('a symbolic link'), 'under a DOS host', { madeBy: 20, attributes: unixMode(0o120777) }),
    entry(special('a symbolic link'), 'named as a directory', {
      name: 'evil/',
      content: '',
      attributes: unixMode(0o120777),
    }),
    entry(special('a symbolic link'), 'in a directory that is dropped', {
      name: '__MACOSX/evil',
      attributes: unixMode(0o120777),
    }),
    entry(special('a character device'), 'of zeros', { attributes: unixMode(0o020666) }),
    entry(special('a block device'), 'a disk', { attributes: unixMode(0o060666) }),
    entry(special('a FIFO'), 'to hang on', { attributes: unixMode(0o010666) }),
    entry(special('a socket'), 'to listen on', { attributes: unixMode(0o140666) }),
    entry('is of an unknown type; only files and directories are allowed', 'type 7', {
      attributes: unixMode(0o070644),
    }),
    entry(DIRECTORY_WITHOUT_SLASH, 'Unix mode', { attributes: unixMode(0o040755) }),
    entry(DIRECTORY_WITHOUT_SLASH, 'DOS attribute', { madeBy: 20, attributes: 0x10 }),
    entry("is a file, but its name ends with '/'", 'Unix mode', {
      name: 'evil/',
      content: '',
      attributes: unixMode(0o100644),
    }),
    entry('is a directory with content', 'deflated', { name: 'evil/' }),
  ]);
});

const ENCRYPTED = 'is encrypted; create the archive without a password';
const method = (name: string) => `is compressed with ${name}, which is not supported; use deflate`;

describe('An entry with unreadable content', () => {
  refusesAll(zip, [
    entry(ENCRYPTED, 'traditionally', { flags: 0x1 }),
    entry(ENCRYPTED, 'strongly', { flags: 0x41 }),
    entry(ENCRYPTED, 'with the bit for strong encryption alone', { flags: 0x40 }),
    entry(ENCRYPTED, 'with a masked local header', { flags: 0x2000 }),
    entry(ENCRYPTED, 'with AES', { method: 99 }),
    entry(method('bzip2'), 'method 12', { method: 12 }),
    entry(method('lzma'), 'method 14', { method: 14 }),
    entry(method('zstd'), 'method 93', { method: 93 }),
    entry(method('zstd'), 'method 20, its first number', { method: 20 }),
    entry(method('xz'), 'method 95', { method: 95 }),
    entry(method('deflate64'), 'method 9', { method: 9 }),
    entry(method('implode'), 'method 6', { method: 6 }),
    entry(method('shrink'), 'method 1', { method: 1 }),
    entry(method('ppmd'), 'method 98', { method: 98 }),
    entry(method('method 4242'), 'a method nobody knows', { method: 4242 }),
    entry('is a patch, not a file', 'bit 5', { flags: 0x20 }),
  ]);
});

const MORE = 'contains more bytes than it declares';
const FEWER = 'contains fewer bytes than it declares';
const CRC = 'does not match its CRC';
const TRUNCATED = 'ends before its deflate stream does';
const JUNK = 'has data after the end of its deflate stream';
const INVALID = 'is not valid deflate data';
const LARGE = Buffer.alloc(5 * 1024 * 1024, 'large ');
const deflated = deflateRawSync(TEXT);
const declares = (content: string | Buffer, data: Buffer) => ({ content, data, method: 8 });

describe('An entry whose content differs from its headers', () => {
  refusesAll(zip, [
    entry(MORE, 'one byte less declared', { size: TEXT.length - 1 }),
    entry(MORE, 'nothing declared', { size: 0 }),
    entry(MORE, 'a large entry that declares little', { content: LARGE, size: 1000 }),
    entry(MORE, 'a large entry, one byte less declared', { content: LARGE, size: LARGE.length - 1 }),
    entry(FEWER, 'one byte more declared', { size: TEXT.length + 1 }),
    entry(FEWER, 'sixty megabytes declared', { size: 60_000_000 }),
    entry(FEWER, 'a large entry, one byte more declared', { content: LARGE, size: LARGE.length + 1 }),
    entry(CRC, 'deflated', { crc32: 1 }),
    entry(CRC, 'stored', { method: 0, crc32: 1 }),
    entry(CRC, 'of a large entry', { content: LARGE, crc32: 1 }),
    entry(CRC, 'of no content', { content: '', crc32: 1 }),
    entry(CRC, 'zero, as if there were none', { crc32: 0 }),
    entry(CRC, 'of an entry that is dropped', { name: '.DS_Store', crc32: 1 }),
    entry(TRUNCATED, 'the last byte is gone', declares(TEXT, deflated.subarray(0, -1))),
    entry(TRUNCATED, 'no byte at all', { ...declares('', Buffer.alloc(0)) }),
    entry(TRUNCATED, 'a large entry', declares(LARGE, deflateRawSync(LARGE).subarray(0, -1))),
    entry(JUNK, 'one byte', declares(TEXT, Buffer.concat([deflated, Buffer.of(0)]))),
    entry(JUNK, 'a second stream', declares(TEXT, Buffer.concat([deflated, deflated]))),
    entry(
      JUNK,
      'a large entry',
      declares(LARGE, Buffer.concat([deflateRawSync(LARGE), Buffer.alloc(600_000, 1)])),
    ),
    entry(INVALID, 'a reserved block type', declares(TEXT, Buffer.alloc(20, 0xff))),
    entry(INVALID, 'plain text', declares(TEXT, Buffer.from(TEXT))),
    entry(INVALID, 'a zlib header', declares(TEXT, Buffer.concat([Buffer.of(0x78, 0x9c), deflated]))),
    entry('is stored, but its two sizes differ', 'lying size', { method: 0, size: 7 }),
  ]);
});

const differs = (what: string) => `has ${what} in its local header than in the central directory`;
const DESCRIPTOR = 'has no data descriptor that agrees with the central directory';
const descriptor = (crc: number, compressedSize: number, size: number) => {
  const buffer = Buffer.alloc(12);
  buffer.writeUInt32LE(crc, 0);
  buffer.writeUInt32LE(compressedSize, 4);
  buffer.writeUInt32LE(size, 8);
  return buffer;
};

describe('An entry with two contradictory headers', () => {
  refusesAll(zip, [
    entry(differs('a different name'), 'outright', { local: { name: 'other.html' } }),
    entry(differs('a different name'), 'in case', { local: { name: 'Evil.html' } }),
    entry(differs('a different name'), 'with a path that leads out', { local: { name: '../a.html' } }),
    entry(differs('a different name'), 'no name', { local: { name: '' } }),
    entry(differs('a different compression method'), 'stored and deflated', { local: { method: 0 } }),
    entry(differs('different flags'), 'encrypted locally', { local: { flags: 0x1 } }),
    entry(differs('different flags'), 'a descriptor locally', { local: { flags: 0x8 } }),
    entry(differs('different flags'), 'a descriptor centrally', { central: { flags: 0x8 } }),
    entry(differs('different flags'), 'UTF-8 locally', { name: 'é.html', local: { flags: 0 } }),
    entry(differs('a different CRC'), 'outright', { local: { crc32: 1 } }),
    entry(differs('a different CRC'), 'zero without a descriptor', { local: { crc32: 0 } }),
    entry(differs('a different CRC'), 'wrong beside a descriptor', {
      descriptor: 'signed',
      local: { crc32: 1 },
    }),
    entry(differs('a different size'), 'of content', { local: { size: 1 } }),
    entry(differs('a different size'), 'in the archive', { local: { compressedSize: 1 } }),
    entry(differs('a different size'), 'zero without a descriptor', {
      local: { compressedSize: 0, size: 0 },
    }),
    entry(differs('a different size'), 'a zip64 mark without a field', { local: { size: 0xffffffff } }),
    entry(differs('a different size'), 'another size in the zip64 field', {
      local: { size: 0xffffffff, extra: extraField(1, Buffer.alloc(16, 1)) },
    }),
    entry(DESCRIPTOR, 'it is missing', { descriptor: Buffer.alloc(0) }),
    entry(DESCRIPTOR, 'another CRC', { descriptor: descriptor(1, deflated.length, TEXT.length) }),
    entry(DESCRIPTOR, 'another size', { descriptor: descriptor(crc32(TEXT), deflated.length, 1) }),
    entry(DESCRIPTOR, 'cut short', {
      descriptor: descriptor(crc32(TEXT), deflated.length, TEXT.length).subarray(0, 8),
    }),
  ]);
});

describe('An entry with untrustworthy extra fields', () => {
  const doubled = extraField(0x7075, Buffer.alloc(5));
  refusesAll(zip, [
    entry('has extra fields that do not add up', 'too long', {
      central: { extra: Buffer.of(1, 2, 255, 255, 0) },
    }),
    entry('has extra fields in its local header that do not add up', 'too long', {
      local: { extra: Buffer.of(1, 2, 255, 255, 0) },
    }),
    entry('has an incomplete zip64 field', 'no bytes', {
      central: { size: 0xffffffff, extra: extraField(1, Buffer.alloc(0)) },
    }),
    entry('has an incomplete zip64 field', 'one size of two', {
      central: { size: 0xffffffff, compressedSize: 0xffffffff, extra: extraField(1, Buffer.alloc(8)) },
    }),
    entry('has the same extra field twice', 'two Unicode paths', {
      central: { extra: Buffer.concat([doubled, doubled]) },
    }),
    entry('has the same extra field twice', 'two Unicode paths locally', {
      local: { extra: Buffer.concat([doubled, doubled]) },
    }),
    entry('has the same extra field twice', 'two zip64 fields', {
      zip64: true,
      extra: extraField(1, Buffer.alloc(24)),
    }),
  ]);
});
