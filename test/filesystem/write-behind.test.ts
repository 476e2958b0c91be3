import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { WriteBehind } from '../../src/adapters/filesystem/write-behind.js';

const PIECE = 120 * 1024;
let directory = '';
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lectern-write-'));
});
after(() => rm(directory, { recursive: true }));

/** Bytes that tell where they belong. */
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 0xff));

describe('writing behind', () => {
  it('writes every byte in order, however they were cut', async () => {
    const whole = bytesOf(3 * PIECE + 5);
    const lengths = fc.array(fc.integer({ min: 0, max: 2 * PIECE }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lengths, async (cuts) => {
        const file = join(directory, 'written');
        const handle = await open(file, 'w');
        const writing = new WriteBehind(handle);
        let start = 0;
        for (const length of cuts) {
          // Sockets give their chunks away and may use the memory again.
          const chunk = Buffer.from(whole.subarray(start, start + length));
          await writing.add(chunk);
          chunk.fill(0);
          start += length;
        }
        await writing.end();
        await handle.close();
        assert.ok((await readFile(file)).equals(whole.subarray(0, start)));
      }),
      { numRuns: 40 },
    );
  });

  it('writes little by little without a call for each little', async () => {
    const calls: number[] = [];
    const writing = new WriteBehind({
      writeFile: async (data) => {
        calls.push((data as Buffer).length);
      },
    });
    for (let i = 0; i < 21; i += 1) await writing.add(Buffer.alloc(60 * 1024));
    await writing.end();
    assert.deepEqual(calls, [...Array<number>(10).fill(PIECE), 60 * 1024]);
  });

  it('tells of a failed write when the next piece comes, or at the end', async () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const failing = () => new WriteBehind({ writeFile: () => Promise.reject(full) });
    const more = failing();
    await more.add(Buffer.alloc(PIECE));
    await assert.rejects(more.add(Buffer.alloc(PIECE)), { code: 'ENOSPC' });
    const last = failing();
    await last.add(Buffer.alloc(1));
    await assert.rejects(last.end(), { code: 'ENOSPC' });
  });
});
