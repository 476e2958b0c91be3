import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { likeness, matchText } from '../../src/application/search/match-text.js';
import { parseQuery } from '../../src/application/search/query/parse-query.js';
import { RANKING } from '../../src/application/search/ranking-weights.js';
import { wordsOf } from '../../src/application/search/words/tokens.js';

/** The words of a query, each of which weighs the same. */
const weighted = (query: string) => {
  const { words } = parseQuery(query);
  return words.map((word) => ({ ...word, pages: 1, weight: 1 / words.length, isOfProject: false }));
};
const likenessOf = (query: string, text: string) => {
  const [[wanted], [word]] = [parseQuery(query).words, wordsOf(text)];
  return likeness(wanted ?? assert.fail(query), word ?? assert.fail(text));
};

describe('A word of a text', () => {
  it('resembles a prefix by its share of the length, less than its stem', () => {
    const begun = ['conf', 'config', 'configurat'].map((beginning) =>
      likenessOf(beginning, 'configurations'),
    );
    assert.deepEqual(begun.toSorted(), begun);
    assert.equal(new Set(begun).size, 3);
    assert.ok(
      begun.every((each) => each > RANKING.prefix && each < RANKING.stemmed),
      begun.join(),
    );
  });

  it('does not resemble a prefix followed by a space', () => {
    assert.equal(likenessOf('confi ', 'configurations'), 0);
  });
});

describe('A short text', () => {
  it('is fully covered by a query with all of it, with and without spaces', () => {
    assert.equal(matchText(weighted('install guide '), 'Install Guide').coverage, 1);
    for (const run of ['管理者', '管理者情報', '管理者情報一覧']) {
      const { coverage } = matchText(weighted(`${run} `), run);
      assert.ok(Math.abs(coverage - RANKING.stemmed) < 0.001, `${run}: ${coverage}`);
    }
  });

  it('is half covered by a query with half of it, however often repeated', () => {
    assert.equal(matchText(weighted('install '), 'Install Guide').coverage, 0.5);
    assert.equal(matchText(weighted('管理者 管理 '), '管理者情報').coverage, RANKING.stemmed / 2);
  });

  it('is covered at most fully by a query that matches a part in several ways', () => {
    assert.equal(matchText(weighted('管理者 者 '), '管理者').coverage, 1);
  });

  it('has no coverage without words', () => {
    assert.equal(matchText(weighted('install '), ' – ').coverage, 0);
  });
});
