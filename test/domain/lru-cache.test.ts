import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LruCache } from '../../src/domain/index.js';

describe('A cache of what was used last', () => {
  it('forgets the values that were not used for longest', () => {
    const cache = new LruCache<string>(2);
    cache.set('a', 'A');
    cache.set('b', 'B');
    cache.get('a');
    cache.set('c', 'C');
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => cache.get(key)),
      ['A', undefined, 'C'],
    );
  });

  it('forgets as many as a heavy one needs, and takes the weight of one that is replaced off', () => {
    const cache = new LruCache<string>(10, ({ length }) => length);
    for (const key of ['a', 'b', 'c']) cache.set(key, 'xxx');
    cache.set('a', 'x');
    cache.set('d', 'xxx');
    assert.deepEqual(
      ['b', 'c', 'a', 'd'].map((key) => cache.get(key)?.length),
      [3, 3, 1, 3],
    );
    cache.set('e', 'xxxx');
    assert.deepEqual(
      ['b', 'c', 'a', 'd', 'e'].map((key) => cache.get(key)?.length),
      [undefined, undefined, 1, 3, 4],
    );
  });

  it('keeps no value that alone weighs too much, and forgets no other for it', () => {
    const cache = new LruCache<string>(10, ({ length }) => length);
    cache.set('a', 'A');
    assert.equal(cache.set('b', 'x'.repeat(11)).length, 11);
    assert.equal(cache.get('b'), undefined);
    assert.equal(cache.get('a'), 'A');
  });

  it('forgets a value that is deleted, and its weight', () => {
    const cache = new LruCache<string>(2);
    cache.set('a', 'A');
    cache.set('b', 'B');
    cache.delete('a');
    cache.delete('z');
    cache.set('c', 'C');
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => cache.get(key)),
      [undefined, 'B', 'C'],
    );
  });
});
