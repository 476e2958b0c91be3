import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReusedMemory } from '../../src/application/reused-memory.js';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
async function* chunksOf(...chunks: readonly string[]) {
  const buffer = Buffer.alloc(200_000);
  for (const chunk of chunks) yield buffer.subarray(0, buffer.write(chunk));
}

describe('Memory that streams are read into', () => {
  it('holds one after the other, whole or to a limit', async () => {
    const memory = new ReusedMemory();
    assert.equal(text(await memory.read(chunksOf('one, ', 'two'), 100)), 'one, two');
    assert.equal(text(await memory.read(chunksOf('three'), 100)), 'three');
    assert.equal(text(await memory.read(chunksOf(), 100)), '');
    assert.equal(text(await memory.read(chunksOf('four', 'five'), 6)), 'fourfi');
  });

  it('grows for one that is longer than all before', async () => {
    const memory = new ReusedMemory();
    const [a, b] = ['a'.repeat(60_000), 'b'.repeat(150_000)];
    assert.equal(text(await memory.read(chunksOf(a, b, a), 1_000_000)), a + b + a);
    assert.equal(text(await memory.read(chunksOf(a, b, a), 100_000)), (a + b).slice(0, 100_000));
  });

  it('is the same while it suffices', async () => {
    const memory = new ReusedMemory();
    const first = await memory.read(chunksOf('first'), 100);
    const second = await memory.read(chunksOf('second'), 100);
    assert.equal(first.buffer, second.buffer);
  });

  it('closes a stream at the limit', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.from('more');
      } finally {
        isClosed = true;
      }
    }
    assert.equal(text(await new ReusedMemory().read(endless(), 10)), 'moremoremo');
    assert.ok(isClosed);
  });
});
