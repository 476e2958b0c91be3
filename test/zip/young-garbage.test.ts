import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { YoungGarbage } from '../../src/adapters/zip/young-garbage.js';

const KiB = 1024;

describe('young garbage', () => {
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
