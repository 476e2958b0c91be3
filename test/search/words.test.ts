import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldText, stem, tokensOf, wordsOf } from '../../src/application/index.js';
import { typosBetween } from '../../src/domain/index.js';
import { anyString } from '../support/any-string.js';
import { assertEnds } from '../support/assert-ends.js';

const raw = (text: string) => wordsOf(text).map(({ start, end }) => text.slice(start, end));

describe('The words of a text', () => {
  it('are divided by spaces, dots, colons and hyphens', () => {
    assert.deepEqual(raw('List.of(a), std::vector; row-level'), [
      'List',
      'of',
      'a',
      'std',
      'vector',
      'row',
      'level',
    ]);
  });

  it('keep identifiers whole', () => {
    assert.deepEqual(raw('json_agg ArrayList (--single-transaction) operator<< c++ c# i++ a+b'), [
      'json_agg',
      'ArrayList',
      '--single-transaction',
      'operator<<',
      'c++',
      'c#',
      'i++',
      'a',
      'b',
    ]);
  });

  it('are options when two hyphens begin a word, and no others', () => {
    assert.deepEqual(raw('--strict (--fail-fast) a--b ---rule é--x 管--x'), [
      ...['--strict', '--fail-fast', 'a', 'b', 'rule'],
      ...['é', 'x', '管', 'x'],
    ]);
    assert.deepEqual(raw('x ---rule'), ['x', 'rule']);
  });

  it('keep the leading sign of a name, and a hyphen before letters', () => {
    for (const [text, ...words] of [
      ['@apply (@dataclass) .@x', '@apply', '@dataclass', '@x'],
      ['@font-face', '@font-face'],
      ['$var=$PATH; "$_SERVER"', '$var', '$PATH', '$_SERVER'],
      ['$a-$b-c', '$a', '$b', 'c'],
      ['-w [-Wall|-xzf] -Wno-error', '-w', '-Wall', '-xzf', '-Wno-error'],
      ['`-v`,-V', '-v', '-V'],
      [
        'user@host a-b US$5 $5 3-w -1 @2x é@x 管$x --x',
        'user',
        'host',
        'a',
        'b',
        'US',
        '5',
        '5',
        '3',
        'w',
        '1',
      ].concat(['2x', 'é', 'x', '管', 'x', '--x']),
    ] as const) {
      assert.deepEqual(raw(text), words, text);
    }
  });

  it('are runs in scripts without spaces', () => {
    assert.deepEqual(raw('SQLの語法、データベース'), ['SQL', 'の語法', 'データベース']);
    assert.deepEqual(wordsOf('管理者')[0]?.tokens, ['管理', '理者', '者']);
  });

  it('include the pairs at the beginning of a heading that is one long run', () => {
    const run = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('');
    const [word] = wordsOf(run);
    assert.deepEqual([word?.start, word?.end, word?.tokens.length], [0, 20_000, 1_000]);
    assert.deepEqual(word?.tokens.slice(0, 2), ['一丁', '丁丂']);
  });

  it('have their positions in any text', () => {
    fc.assert(
      fc.property(anyString(), (text) => {
        let before = 0;
        for (const { start, end, folded } of wordsOf(text)) {
          assert.ok(start >= before && end > start && end <= text.length);
          assert.equal(foldText(text.slice(start, end)).slice(0, 64), folded);
          before = end;
        }
      }),
    );
  });
});

describe('The tokens of a word', () => {
  it('are the whole word and the parts of an identifier', () => {
    assert.deepEqual(tokensOf('json_agg'), ['json_agg', 'json', 'agg']);
    assert.deepEqual(tokensOf('ArrayList'), ['arraylist', 'array', 'list']);
    assert.deepEqual(tokensOf('NullPointerException'), [
      'nullpointerexception',
      'null',
      'pointer',
      'exception',
    ]);
    assert.deepEqual(tokensOf('HTTPServer2'), ['httpserver2', 'http', 'server2']);
    assert.deepEqual(tokensOf('--single-transaction'), ['--single-transaction', 'singl', 'transaction']);
    assert.deepEqual(tokensOf('@apply'), ['@apply', 'apply']);
    assert.deepEqual(tokensOf('$PATH'), ['$path', 'path']);
    assert.deepEqual(tokensOf('-w'), ['-w', 'w']);
    assert.deepEqual(tokensOf('-Wno-error'), ['-wno-error', 'wno', 'error']);
    assert.deepEqual(tokensOf('__init__'), ['__init__', 'init']);
    assert.deepEqual(tokensOf('___'), []);
  });

  it('are computed quickly for a word of 400,000 underscores', () => {
    assertEnds(() => {
      assert.deepEqual(tokensOf(`a${'_'.repeat(400_000)}b`), [`a${'_'.repeat(63)}`]);
    });
  });

  it('fold case, accents and widths, one character for one', () => {
    assert.equal(foldText('Élan STRASSE ＡＢ Ёлка ΣΑΣ'), 'elan strasse ab елка σασ');
    fc.assert(
      fc.property(anyString(), (text) => {
        // `İ` and its like become one character, not two.
        assert.equal(foldText(text).length, text.length);
      }),
    );
  });

  it('are ASCII for European languages, with all signs around them', () => {
    assert.match(foldText('“L’été” — Ünïcödé… x² × 2⁴ → © §\u00a03'), /^[\0-\x7f]*$/);
    assert.equal(foldText('été x² 2⁴'), 'ete x2 24');
  });

  it('are the same for the forms of an English word', () => {
    for (const forms of [
      'function functions',
      'cache caches cached caching',
      'map maps mapping mapped',
      'query queries',
    ]) {
      assert.equal(new Set(forms.split(' ').map(stem)).size, 1, forms);
    }
    for (const word of ['class', 'status', 'this', 'red', 'string', 'json_aggs', 'führung'])
      assert.equal(stem(word), word);
  });
});

describe('Typos', () => {
  it('are insertions, deletions, replacements and swaps of neighbours', () => {
    for (const typo of ['optinal', 'optionall', 'optoinal', 'opzional']) {
      assert.equal(typosBetween('optional', typo, 2), 1, typo);
    }
    assert.equal(typosBetween('optional', 'optinl', 2), 2);
    assert.equal(typosBetween('optional', 'opt', 2), Number.POSITIVE_INFINITY);
  });
});
