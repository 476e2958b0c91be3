import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fold, unfold } from '../../src/adapters/search/databases/packed-page.js';
import { foldText } from '../../src/application/index.js';
import { anyString } from '../support/any-string.js';

/** As a database keeps it. */
const stored = (text: string) => Buffer.from(text).toString();

describe('A folded text', () => {
  it('is folded like a search, and can be unfolded exactly', () => {
    const far = fc
      .array(fc.tuple(anyString(), fc.nat(400)))
      .map((parts) => parts.map(([part, letters]) => part + 'a'.repeat(letters)).join(''));
    fc.assert(
      fc.property(fc.oneof(anyString(), far), (text) => {
        const { folded, changes } = fold(text);
        assert.equal(folded, foldText(text));
        assert.equal(unfold(stored(folded), stored(changes)), stored(text));
      }),
    );
  });

  it('unfolds capital letters with two code units, full-width letters, and signs', () => {
    for (const text of [
      '𐐀𐐁 a 𐐀',
      'ＡＢ',
      'İı ẞ',
      'it’s “so” — yes…',
      '😀 Smile',
      `${'x'.repeat(95)}A${'y'.repeat(94)}B`,
    ]) {
      const { folded, changes } = fold(text);
      assert.equal(unfold(folded, changes), text);
    }
  });

  it('unfolds any part of a text', () => {
    fc.assert(
      fc.property(anyString(), fc.nat(12), fc.nat(12), (text, from, length) => {
        const { folded, changes } = fold(text);
        const part = folded.slice(from, from + length);
        assert.equal(unfold(part, changes, from), text.slice(from, from + length));
      }),
    );
  });

  it('stores nothing to unfold for plain letters', () => {
    assert.deepEqual(fold('plain text, データベース'), { folded: 'plain text, データベース', changes: '' });
  });
});
