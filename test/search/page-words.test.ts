import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageWords, tokensOf } from '../../src/application/index.js';

/** A number that looks random, and is the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const wordsOfText = (text: string) =>
  pageWords('', { title: '', kind: 'ordinary', sections: [{ heading: '', level: 0, text }], cut: [] });

describe('The words of a page', () => {
  it('are the pairs of a run without spaces, however long', () => {
    const next = numbers(7);
    for (const characters of [1, 2, 999, 1_000, 1_001, 1_999, 2_000, 5_432]) {
      const run = Array.from({ length: characters }, () =>
        String.fromCodePoint((next(3) === 0 ? 0x20000 : 0x4e00) + next(20_000)),
      ).join('');
      const tokens = new Set(tokensOf(run));
      const found = new Set(wordsOfText(run).places.keys());
      assert.deepEqual(
        [...tokens].filter((token) => !found.has(token)),
        [],
      );
      // The last character of each part is a word of its own, too.
      const others = [...found].filter((token) => !tokens.has(token));
      assert.ok(
        others.every((token) => [...token].length === 1 && run.includes(token)),
        others.join(),
      );
      assert.ok(others.length <= run.length / 998, String(others.length));
    }
  });

  it('are typo candidates in a title, heading or name, but not in lists, folders, text and unspaced scripts', () => {
    const spellings = (kind: 'ordinary' | 'generated-list') => {
      const sections = [{ heading: '@whistle 管理者情報', level: 2, text: 'handle' }];
      return pageWords('folder/spout.html', { title: 'Kettle', kind, sections, cut: [] }).spellings;
    };
    assert.deepEqual(new Set(spellings('ordinary')), new Set(['kettle', 'spout', '@whistle', 'whistle']));
    assert.deepEqual(spellings('generated-list'), []);
  });

  it('are 150,000 tokens at most, the first ones, and the page is marked as truncated', () => {
    const text = (words: number) => Array.from({ length: words }, (_, at) => `w${at}`).join(' ');
    const whole = wordsOfText(text(150_000));
    assert.deepEqual([whole.places.size, whole.isCut], [150_000, false]);
    const cut = wordsOfText(`${text(150_001)} w0 w1`);
    assert.deepEqual([cut.places.size, cut.isCut], [150_000, true]);
    assert.deepEqual(
      [cut.places.has('w0'), cut.places.has('w149999'), cut.places.has('w150000')],
      [true, true, false],
    );
  });
});
