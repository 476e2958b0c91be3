import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS } from '../../src/application/index.js';
import { refuse, type Setting } from '../../src/domain/index.js';
import { writeZip, type ZipEntry, zipOf } from '../support/zip-writer.js';
import { unpacking } from './unpacking.js';

const MiB = 1024 * 1024;
const zip = unpacking();

const limits = (some: Partial<ArchiveLimits>) => ({
  limits: { ...DEFAULT_ARCHIVE_LIMITS, ...some },
});

function tooLarge(setting: Setting, limit: number, met: number, unit: string) {
  const message = `The archive is too large: the limit is ${limit} ${unit}, and it has at least ${met} ${unit}`;
  return { code: 'archive_too_large', message, setting } as const;
}

describe('The limit on files', () => {
  const three = zipOf({ 'a/': '', 'a/1': '1', 'a/2': '2', 'a/3': '3', '.DS_Store': 'x' });

  it('admits exactly the limit', async () => {
    const { result } = await zip.unpack(three, limits({ maxFiles: 3 }));
    assert.equal((await result).facts.site.files, 3);
  });

  it('refuses one file more', async () => {
    await zip.refuses(three, tooLarge('files', 2, 3, 'files'), limits({ maxFiles: 2 }));
  });

  it('counts directories implied by paths, as expensive as files', async () => {
    const deep = zipOf({ 'a/b/c/d/e': 'x' });
    await zip.refuses(deep, tooLarge('files', 3, 4, 'files'), limits({ maxFiles: 3 }));
  });

  it('counts dropped entries', async () => {
    const dropped = zipOf({ '__MACOSX/1': '', '__MACOSX/2': '', '__MACOSX/3': '', 'index.html': '' });
    await zip.refuses(dropped, tooLarge('files', 2, 3, 'files'), limits({ maxFiles: 2 }));
  });

  it('refuses a million entries as soon as the limit is exceeded', async () => {
    await zip.refuses(tinyEntries(1_000_000), tooLarge('files', 100_000, 100_001, 'files'));
  });

  it('passes a hundred thousand entries on to their content', async () => {
    const archive = tinyEntries(100_000);
    archive.write('y', 36, 'latin1');
    const message = "The archive was refused: entry '000000' does not match its CRC";
    await zip.refuses(archive, { message, entry: '000000' });
  });
});

describe('The limit on the extracted size', () => {
  it('admits exactly the limit', async () => {
    const { result } = await zip.unpack(zipOf({ a: 'x'.repeat(1000) }), limits({ maxExtractedBytes: 1000 }));
    assert.equal((await result).facts.site.bytes, 1000);
  });

  it('refuses one byte more, over all files together', async () => {
    const archive = zipOf({ a: 'x'.repeat(500), b: 'x'.repeat(501) });
    const expected = tooLarge('extracted_size', 1000, 1001, 'bytes');
    await zip.refuses(archive, expected, limits({ maxExtractedBytes: 1000 }));
  });

  it('refuses exabytes by their header alone', async () => {
    const archive = writeZip([{ name: 'a', content: 'x', zip64: true, size: 2 ** 60 }]);
    const expected = tooLarge('extracted_size', 2 * 1024 ** 3, 2 ** 60, 'bytes');
    await zip.refuses(archive, expected);
  });

  it('counts actual bytes, not declared ones', async () => {
    const archive = writeZip([{ name: 'a', content: Buffer.alloc(40 * MiB), size: 10 }]);
    const message = "The archive was refused: entry 'a' contains more bytes than it declares";
    await zip.refuses(archive, { message, entry: 'a' }, limits({ maxExtractedBytes: 1000 }));
  });
});

describe('The limit on the ratio', () => {
  const bomb = (bytes: number) => writeZip([{ name: 'a', content: Buffer.alloc(bytes) }]);

  it('does not apply below 64 MiB', async () => {
    const { result } = await zip.unpack(bomb(64 * MiB));
    assert.equal((await result).facts.site.bytes, 64 * MiB);
  });

  it("refuses larger content of more than 50 times the archive's size", async () => {
    const archive = bomb(64 * MiB + 1);
    const met = Math.ceil((64 * MiB + 1) / archive.length);
    await zip.refuses(archive, tooLarge('ratio', 50, met, 'times its size'));
  });

  it('counts all files together', async () => {
    const data = deflateRawSync(Buffer.alloc(MiB));
    const entries = Array.from(
      { length: 65 },
      (_, i): ZipEntry => ({
        name: `${i}`,
        content: Buffer.alloc(MiB),
        method: 8,
        data,
      }),
    );
    const archive = writeZip(entries);
    const met = Math.ceil((65 * MiB) / archive.length);
    await zip.refuses(archive, tooLarge('ratio', 50, met, 'times its size'));
  });

  it('ignores a nested bomb: an archive within is never unpacked', async () => {
    const inner = zipOf({ bomb: bomb(60 * MiB) });
    await zip.accepts(zipOf({ 'index.html': 'home', 'inner.zip': inner }), {
      'index.html': 'home',
      'inner.zip': inner,
    });
  });
});

describe('The free space on the disk', () => {
  const thousand = writeZip([{ name: 'a', content: Buffer.alloc(1_000) }]);

  it('admits exactly its size', async () => {
    const { result } = await zip.unpack(thousand, limits({ roomBytes: 1_000 }));
    assert.equal((await result).facts.site.bytes, 1_000);
  });

  it('refuses one byte more before anything is written', async () => {
    const { code, message } = refuse.insufficientStorage();
    await zip.refuses(thousand, { code, message }, limits({ roomBytes: 999 }));
  });
});

/** Stored files of one byte, stamped from one template: the writer proper would take minutes. */
function tinyEntries(count: number): Buffer {
  const template = writeZip([{ name: '000000', method: 0, content: 'x' }]);
  const local = template.subarray(0, 37);
  const central = template.subarray(37, 89);
  const archive = Buffer.alloc(count * (37 + 52) + 98);
  for (let i = 0; i < count; i += 1) {
    const name = i.toString(36).padStart(6, '0');
    local.copy(archive, i * 37);
    archive.write(name, i * 37 + 30, 'latin1');
    const header = count * 37 + i * 52;
    central.copy(archive, header);
    archive.write(name, header + 46, 'latin1');
    archive.writeUInt32LE(i * 37, header + 42);
  }
  const end = { entries: count, entriesHere: count, directorySize: count * 52, directoryOffset: count * 37 };
  const records = writeZip([], { zip64: { ...end, locatorOffset: count * 89 } });
  records.copy(archive, count * 89);
  return archive;
}
