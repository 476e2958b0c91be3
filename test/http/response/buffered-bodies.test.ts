import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bufferOf } from '../../../src/adapters/http/response/bodies.js';

describe('Bodies that are read into memory', () => {
  it('are read sixteen at a time, and arrive complete, also after a failed one', async () => {
    let running = 0;
    let most = 0;
    async function* body(number: number) {
      running += 1;
      most = Math.max(most, running);
      try {
        yield Buffer.from(`${number} `);
        await new Promise(setImmediate);
        if (number === 3) throw new Error('the disk failed');
        yield Buffer.from('whole');
      } finally {
        running -= 1;
      }
    }
    const texts = await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        bufferOf(body(number)).then(String, (error: Error) => error.message),
      ),
    );
    const expected = texts.map((_, number) => (number === 3 ? 'the disk failed' : `${number} whole`));
    assert.deepEqual([texts, most, running], [expected, 16, 0]);
  });
});
