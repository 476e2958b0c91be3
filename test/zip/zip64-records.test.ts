import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openPromise } from 'yauzl';
import { METHOD } from '../../src/adapters/zip/header-fields.js';
import { centralHeader, endRecords, localHeader } from '../../src/adapters/zip/zip-records.js';
import { unpacking } from './unpacking.js';

const zip = unpacking();
const GIB = 2 ** 30;

describe('the records of a large archive', () => {
  for (const [title, size] of [
    ['just below 4 GiB', 4 * GIB - 2],
    ['which the fields without zip64 mean for something else', 4 * GIB - 1],
    ['above 4 GiB', 5 * GIB],
  ] as const) {
    it(`say where a file stands behind one ${title}`, async () => {
      const common = { modified: new Date('2026-01-02T03:04:05Z'), method: METHOD.stored, crc32: 0 };
      const large = {
        ...common,
        name: Buffer.from('large.bin'),
        size,
        compressedSize: size,
        headerOffset: 0,
      };
      const first = localHeader(large, true);
      const small = { ...common, name: Buffer.from('é.html'), size: 0, compressedSize: 0 };
      const entries = [large, { ...small, headerOffset: first.length + size }] as const;
      const second = localHeader(entries[1], false);

      // The content is a hole: it takes no room on the disk.
      const file = join(await zip.place(), 'large.zip');
      const fd = openSync(file, 'wx');
      const directory = Buffer.concat(entries.map(centralHeader));
      const directoryStart = entries[1].headerOffset + second.length;
      writeSync(fd, first, 0, first.length, 0);
      writeSync(
        fd,
        Buffer.concat([second, directory, endRecords(2, directoryStart, directory.length)]),
        0,
        null,
        entries[1].headerOffset,
      );
      closeSync(fd);

      const archive = await openPromise(file, { autoClose: false });
      try {
        const found = [];
        for await (const entry of archive.eachEntry()) {
          const local = await archive.readLocalFileHeaderPromise(entry);
          assert.equal(local.fileName.toString(), entry.fileName);
          assert.deepEqual(entry.getLastModDate({ timezone: 'UTC' }), new Date('2026-01-02T03:04:04Z'));
          found.push([entry.fileName, entry.uncompressedSize, entry.relativeOffsetOfLocalHeader]);
        }
        const expected = entries.map(({ name, size, headerOffset }) => [name.toString(), size, headerOffset]);
        assert.deepEqual(found, expected);
      } finally {
        archive.close();
      }
    });
  }
});
