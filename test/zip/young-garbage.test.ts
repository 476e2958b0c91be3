import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { unpack } from '../../src/adapters/zip/unpack.js';
import { YoungGarbage } from '../../src/adapters/zip/young-garbage.js';
import { DEFAULT_ARCHIVE_LIMITS } from '../../src/application/index.js';
import { zipOf } from '../support/zip-writer.js';
import { unpacking } from './unpacking.js';

const KiB = 1024;

const zip = unpacking();

describe('young garbage', () => {
  it('of inflated files is given back while an archive is unpacked', async () => {
    const page = 'a page that deflates well '.repeat(2_500);
    const files = Array.from({ length: 600 }, (_, i) => [`${i}.html`, page]);
    const place = await zip.place();
    await writeFile(join(place, 'a.zip'), zipOf(Object.fromEntries(files)));
    const before = process.memoryUsage().arrayBuffers;
    const limits = { ...DEFAULT_ARCHIVE_LIMITS, mostRatio: Number.POSITIVE_INFINITY };
    // In this thread, so that its memory can be seen.
    await unpack({ archiveFile: join(place, 'a.zip'), siteDirectory: join(place, 'site'), limits });
    const left = process.memoryUsage().arrayBuffers - before;
    assert.ok(left < 16 * KiB * KiB, `${Math.round(left / KiB / KiB)} MiB were left lying`);
  });

  it('is given back long before V8 would look for it', async () => {
    const garbage = new YoungGarbage();
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for (let i = 0; i < 2_000; i += 1) {
      const chunk = Buffer.allocUnsafeSlow(64 * KiB);
      garbage.made(chunk.length);
      // As chunks of a socket do, each comes in a turn of its own.
      await new Promise(setImmediate);
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    assert.ok(most < 16 * KiB * KiB, `${Math.round(most / KiB / KiB)} MiB were left lying`);
  });
});
