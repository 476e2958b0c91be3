import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { responseCache } from '../../../src/adapters/http/response/kept-answers.js';
import { Text, TextCache } from '../../../src/adapters/http/response/texts.js';

/** A text that counts as so many bytes. */
class Sized extends Text {
  constructor(readonly weight: number) {
    super('', 'text/plain');
  }

  override get maxBytes(): number {
    return this.weight;
  }
}
const answer = (bytes: number) => new Sized(bytes);

/** A cache of texts in a response cache of so many bytes, and what it takes. */
function textCache(maxBytes: number) {
  const cache = responseCache(maxBytes);
  const texts = new TextCache(cache);
  return {
    get: texts.get.bind(texts),
    get bytes() {
      return cache?.totalWeight ?? 0;
    },
  };
}

describe('The cache of generated texts', () => {
  it('returns the same response to the same key, and another one to another key', async () => {
    const cache = textCache(100);
    const first = await cache.get('a 1', () => answer(10));
    assert.equal(await cache.get('a 1', () => answer(10)), first);
    const second = await cache.get('a 2', () => answer(20));
    assert.notEqual(second, first);
    assert.equal(cache.bytes, 10 + 20 + 'a 1'.length + 'a 2'.length);
  });

  it('respects its byte limit, and drops the least recently requested text', async () => {
    const cache = textCache(100);
    const first = await cache.get('0', () => answer(10));
    for (let key = 1; key < 1_000; key++) {
      await cache.get(String(key), () => answer(10));
      assert.equal(await cache.get('0', () => assert.fail('forgotten')), first);
      assert.ok(cache.bytes <= 100);
    }
    const other = await cache.get('1', () => answer(10));
    assert.equal(await cache.get('1', () => assert.fail('forgotten')), other);
  });

  it('sends texts larger than itself without caching', async () => {
    for (const bytes of [0, 100]) {
      const cache = textCache(bytes);
      const large = await cache.get('a', () => answer(101));
      assert.equal(large.maxBytes, 101);
      assert.equal(cache.bytes, 0);
      assert.notEqual(await cache.get('a', () => answer(101)), large);
    }
  });

  it('builds a response once for all waiting requests, cached or not, and another one for a new state', async () => {
    const cache = textCache(0);
    let made = 0;
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const write = async () => {
      made += 1;
      await gate;
      return answer(1_000);
    };
    const waiting = Array.from({ length: 60 }, () => cache.get('a', write));
    const newer = cache.get('a 2', write);
    await turn();
    assert.equal(made, 2);
    go();
    assert.equal(new Set(await Promise.all(waiting)).size, 1);
    assert.notEqual(await newer, await waiting[0]);
  });

  it('reports a failure to all waiting requests, and retries for the next one', async () => {
    const cache = textCache(100);
    const failing = async () => {
      throw new Error('no disk');
    };
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => cache.get('a', failing)));
    assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    assert.equal((await cache.get('a', () => answer(1))).maxBytes, 1);
  });

  it('rebuilds a text that may have changed, once it is too old', async () => {
    const cache = textCache(100);
    const first = await cache.get('a', () => answer(1), 1);
    let now = first;
    while (now === first) {
      await turn();
      now = await cache.get('a', () => answer(1), 1);
    }
    const lasting = await cache.get('b', () => answer(1), 3_600_000);
    assert.equal(await cache.get('b', () => assert.fail('too soon'), 3_600_000), lasting);
  });
});
