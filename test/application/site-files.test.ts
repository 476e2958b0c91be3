import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, textOf } from '../../src/application/index.js';

/** A stream that uses one buffer for all its chunks, as files of a store may. */
class ReusedBuffer implements AsyncIterable<Uint8Array> {
  isClosed = false;

  constructor(private readonly chunks: readonly string[]) {}

  async *[Symbol.asyncIterator]() {
    const buffer = Buffer.alloc(100);
    try {
      for (const chunk of this.chunks) yield buffer.subarray(0, buffer.write(chunk));
    } finally {
      this.isClosed = true;
      buffer.fill('?');
    }
  }
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('The bytes of a stream', () => {
  it("are copied, so that the stream's buffer can be reused", async () => {
    assert.equal(text(await bytesOf(new ReusedBuffer(['one']))), 'one');
    assert.equal(text(await bytesOf(new ReusedBuffer(['one, ', 'two, ', 'three']))), 'one, two, three');
    assert.equal((await bytesOf(new ReusedBuffer([]))).length, 0);
  });

  it('end at a limit, where the stream is closed', async () => {
    for (const [max, expected] of [
      [2, 'on'],
      [3, 'one'],
      [4, 'onet'],
      [99, 'onetwothree'],
    ] as const) {
      const stream = new ReusedBuffer(['one', 'two', 'three']);
      assert.equal(text(await bytesOf(stream, max)), expected);
      assert.ok(stream.isClosed);
    }
  });

  it('decode as UTF-8 text wherever a chunk ends', async () => {
    const bytes = Buffer.from('Grüße');
    async function* halves() {
      yield bytes.subarray(0, 3);
      yield bytes.subarray(3);
    }
    assert.equal(await textOf(halves()), 'Grüße');
  });
});
