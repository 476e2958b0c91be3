import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MAX_QUERY_WORDS, parseQuery } from '../../src/application/index.js';
import { anyString } from '../support/any-string.js';

const folded = (typed: string) => parseQuery(typed).words.map((word) => word.folded);

describe('A query', () => {
  it('consists of words, of which the last may be unfinished', () => {
    const { words } = parseQuery('Create INDEX conc');
    assert.deepEqual(
      words.map(({ folded, isPrefix }) => [folded, isPrefix]),
      [
        ['create', false],
        ['index', false],
        ['conc', true],
      ],
    );
    assert.equal(parseQuery('index ').words[0]?.isPrefix, false);
  });

  it('remembers words typed in one piece', () => {
    const { words, pieces } = parseQuery('List.of maps');
    assert.deepEqual(pieces, ['list.of']);
    assert.deepEqual(
      words.map(({ group }) => group),
      [0, 0, 1],
    );
  });

  it('keeps the sign of a name, and a hyphenated name in one piece, but splits a word at a sign', () => {
    assert.deepEqual(folded('@apply -Wall me@home'), ['@apply', '-wall', 'me', 'home']);
    assert.deepEqual(parseQuery('@apply max-unacked-clients').pieces, ['max-unacked-clients']);
  });

  it('has phrases in quotes, and ignores an unclosed quote', () => {
    assert.deepEqual(parseQuery('"Row level" x').phrases, [['row', 'level']]);
    assert.deepEqual(parseQuery('"row level').phrases, []);
    assert.deepEqual(folded('"row level'), ['row', 'level']);
  });

  it('may name a project at any position', () => {
    const { project, text, words } = parseQuery('views project:flask class');
    assert.equal(project, 'flask');
    assert.equal(text.includes('project'), false);
    assert.equal(words.length, 2);
    assert.equal(parseQuery('myproject:flask').project, undefined);
  });

  it('is truncated at 200 characters and 12 words, without half a character', () => {
    assert.equal(parseQuery('🍎'.repeat(300)).text, '🍎'.repeat(200));
    assert.equal(folded(Array.from({ length: 50 }, (_, at) => `w${at}`).join(' ')).length, MAX_QUERY_WORDS);
    assert.deepEqual(folded('same same same'), ['same']);
  });

  it('may be any text', () => {
    fc.assert(
      fc.property(anyString({ maxLength: 500 }), (typed) => {
        const { words } = parseQuery(typed);
        assert.ok(words.length <= MAX_QUERY_WORDS);
        for (const { token } of words)
          assert.ok(token !== '' && !/["\s\0]/.test(token), JSON.stringify(token));
      }),
      { numRuns: 500 },
    );
  });
});
