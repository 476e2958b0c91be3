import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TextBytes } from '../../src/adapters/search/databases/packed-page.js';
import { anyString } from '../support/any-string.js';

describe('A text that stays bytes', () => {
  const few = fc.stringMatching(/^[ab]{0,12}$/);
  const texts = fc.oneof(
    few,
    anyString(),
    fc.tuple(few, anyString()).map(([left, right]) => left + right),
  );
  const needles = fc.oneof(fc.stringMatching(/^[ab]{1,2}$/), anyString({ minLength: 1, maxLength: 2 }));

  it('is searched like a string', () => {
    fc.assert(
      fc.property(texts, needles, fc.nat(20), fc.nat(20), (text, other, from, to) => {
        const bytes = TextBytes.of(Buffer.from(text));
        for (const needle of [other, text.slice(from, from + 2) || other]) {
          // Half of a character cannot be looked for.
          if (!/\p{Surrogate}/u.test(needle))
            assert.equal(bytes.indexOf(needle, from), text.indexOf(needle, from));
        }
        assert.equal(bytes.length, text.length);
        assert.equal(bytes.charCodeAt(from), text.charCodeAt(from));
        assert.equal(bytes.slice(from, Math.max(from, to)), text.slice(from, Math.max(from, to)));
        assert.equal(bytes.slice(), text);
      }),
    );
  });

  it('matches no ASCII letter by an equal last byte', () => {
    assert.equal(TextBytes.of(Buffer.from('a')).indexOf('š'), -1);
    assert.equal(TextBytes.of(Buffer.from('aš')).indexOf('š'), 1);
  });
});
