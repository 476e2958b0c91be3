import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RememberedTokens } from '../../src/application/search/words/tokens.js';

/** The most strings that are kept, and those of one more word of 64 characters. */
const MOST = 200_000 + 65;

describe('Cached tokens', () => {
  it('are computed once for a repeated word', () => {
    const computed: string[] = [];
    const tokens = new RememberedTokens((raw) => {
      computed.push(raw);
      return [raw.toUpperCase()];
    });
    assert.deepEqual(
      [tokens.of('apple'), tokens.of('pear'), tokens.of('apple')],
      [['APPLE'], ['PEAR'], ['APPLE']],
    );
    assert.deepEqual(computed, ['apple', 'pear']);
  });

  it('are bounded in number, however many a word has', () => {
    const tokens = new RememberedTokens((raw) => [...raw]);
    let most = 0;
    for (let at = 0; at < 20_000; at += 1) {
      assert.equal(tokens.of(String(at).padStart(64, '漢')).length, 64);
      most = Math.max(most, tokens.size);
    }
    assert.ok(most > 100_000 && most <= MOST, String(most));
  });

  it('exclude words of more than 64 characters', () => {
    const tokens = new RememberedTokens((raw) => [...raw]);
    assert.equal(tokens.of('漢'.repeat(65)).length, 65);
    assert.equal(tokens.size, 0);
  });
});
