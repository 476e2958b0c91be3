import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LruCache } from '../../src/domain/index.js';

describe('An LRU cache', () => {
  it('drops the least recently used values', () => {
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

  it("drops as many values as a heavy one needs, and subtracts a replaced value's weight", () => {
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

  it('rejects a value that exceeds the limit alone, and drops no other for it', () => {
    const cache = new LruCache<string>(10, ({ length }) => length);
    cache.set('a', 'A');
    assert.equal(cache.set('b', 'x'.repeat(11)).length, 11);
    assert.equal(cache.get('b'), undefined);
    assert.equal(cache.get('a'), 'A');
  });

  it('drops a deleted value, and its weight', () => {
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

  it('reports each dropped value, but no replaced one', () => {
    const dropped: string[] = [];
    const cache = new LruCache<string>(
      10,
      ({ length }) => length,
      (value, key) => dropped.push(`${key}=${value}`),
    );
    cache.set('a', 'aaaa');
    cache.set('a', 'AAAA');
    cache.set('b', 'bbbb');
    assert.deepEqual(dropped, []);
    cache.set('c', 'cccc');
    assert.deepEqual(dropped, ['a=AAAA']);
    cache.delete('b');
    cache.delete('b');
    assert.deepEqual(dropped, ['a=AAAA', 'b=bbbb']);
    cache.set('c', 'x'.repeat(11));
    assert.deepEqual(dropped, ['a=AAAA', 'b=bbbb', 'c=cccc']);
    cache.set('d', 'x'.repeat(11));
    assert.equal(dropped.length, 3);
  });

  it('holds the newest values that fit, in any order of set, get and delete', () => {
    const step = fc.record({
      does: fc.constantFrom('set', 'get', 'delete'),
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      weight: fc.integer({ min: 0, max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const dropped: object[] = [];
        const expectedDrops: object[] = [];
        const cache = new LruCache<{ weight: number }>(
          10,
          ({ weight }) => weight,
          (value) => dropped.push(value),
        );
        /** The value used last at the end. */
        let expected: { key: string; value: { weight: number } }[] = [];
        const totalOf = () => expected.reduce((total, { value }) => total + value.weight, 0);
        for (const step of steps) {
          const known = expected.find((entry) => entry.key === step.key);
          const others = expected.filter((entry) => entry !== known);
          if (step.does === 'get') {
            assert.equal(cache.get(step.key), known?.value);
            expected = known ? [...others, known] : others;
          } else if (step.does === 'delete') {
            cache.delete(step.key);
            expected = others;
            if (known) expectedDrops.push(known.value);
          } else {
            const value = { weight: step.weight };
            assert.equal(cache.set(step.key, value), value);
            const fits = step.weight <= 10;
            expected = fits ? [...others, { key: step.key, value }] : others;
            if (known && !fits) expectedDrops.push(known.value);
            while (totalOf() > 10) expectedDrops.push(expected.shift()?.value ?? assert.fail());
          }
          assert.deepEqual(cache.keys().sort(), expected.map((entry) => entry.key).sort());
          assert.equal(cache.totalWeight, totalOf());
          assert.deepEqual(dropped, expectedDrops);
        }
      }),
    );
  });
});
