import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mayHave, packFilter } from '../../src/adapters/search/databases/known-words.js';
import { anyString } from '../support/any-string.js';

describe('A filter of words', () => {
  it('contains each of its words', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyString()), (words) => {
        const filter = packFilter(words, words.length);
        for (const word of words) assert.ok(mayHave(filter, word), word);
      }),
    );
  });

  it('rejects most other words, in a byte per word', () => {
    const words = Array.from({ length: 10_000 }, (_, at) => `word${at}`);
    const filter = packFilter(words, words.length);
    assert.equal(filter.length, words.length);
    const others = words.filter((_, at) => mayHave(filter, `other${at}`));
    assert.ok(others.length < words.length / 25, `${others.length}`);
  });

  it('is empty without words', () => {
    assert.equal(mayHave(packFilter([], 0), 'word'), false);
  });
});
