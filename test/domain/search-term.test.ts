import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fold, MAX_TERM_CHARACTERS, piecesOf, SearchTerm, wordsOfPage } from '../../src/domain/index.js';

const termOf = (text: string) => SearchTerm.of(text) ?? assert.fail('too long');
const marked = (text: string, term: string) =>
  piecesOf(text, termOf(term))
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('');
const MARKED: readonly (readonly [text: string, term: string, marks: string])[] = [
  ['My Project', 'proj', 'My [Proj]ect'],
  ['banana', 'an', 'b[anan]a'],
  ['payments sdk', 'SDK pay', '[pay]ments [sdk]'],
  ['banana', 'ban nan', '[banan]a'],
  ['aaa', 'aa', '[aa]a'],
  ['Straße', 'SS', 'Stra[ß]e'],
  ['Straße', 's', '[S]traße'],
  ['ΣΟΦΟΣ', 'σοφος', '[ΣΟΦΟΣ]'],
  ['👩🏽‍🚀 space', 'SPACE', '👩🏽‍🚀 [space]'],
  ['<b>', '<', '[<]b>'],
  ['nothing', 'else', 'nothing'],
  ['all', '', 'all'],
  ['a.c', '.', 'a[.]c'],
];

describe('A search term', () => {
  it('has at most 200 characters, whatever their size in memory', () => {
    for (const letter of ['a', 'é', '日', '\u{10400}']) {
      assert.equal(SearchTerm.of(letter.repeat(MAX_TERM_CHARACTERS))?.text.length, 200 * letter.length);
      assert.equal(SearchTerm.of(letter.repeat(MAX_TERM_CHARACTERS + 1)), undefined, letter);
    }
    assert.equal(SearchTerm.of('a'.repeat(1_000_000)), undefined);
  });

  it('is too long when ligatures of whole phrases expand it four times', () => {
    assert.equal(SearchTerm.of('\ufdfa'.repeat(44))?.folded.length, 44 * 18);
    assert.equal(SearchTerm.of('\ufdfa'.repeat(45)), undefined);
  });

  it('may have 200 of nearly any letter: only two characters fold to more than four', () => {
    const long: string[] = [];
    for (let code = 0; code < 0x20000; code++) {
      const letter = code >= 0xd800 && code <= 0xdfff ? '' : String.fromCodePoint(code);
      if (/\p{L}/u.test(letter) && fold(letter).length > 4) long.push(letter);
    }
    assert.deepEqual(long, ['\ufdfa', '\ufdfb']);
  });

  it('is folded once, and is empty only when nothing was typed', () => {
    assert.equal(termOf('Straße').folded, 'STRASSE');
    assert.equal(termOf('').isEmpty, true);
    assert.equal(termOf(' ').isEmpty, false);
    assert.equal(SearchTerm.none.folded, '');
  });
});

describe('A match of a search', () => {
  for (const [text, term, marks] of MARKED) {
    it(`is marked: '${term}' in '${text}'`, () => assert.equal(marked(text, term), marks));
  }

  it('is marked in a text of up to 1,000 characters, and not in a longer one', () => {
    const text = `${'x'.repeat(999)}y`;
    assert.equal(piecesOf(text, termOf('y')).length, 2);
    assert.deepEqual(piecesOf(`x${text}`, termOf('y')), [{ text: `x${text}`, isMatch: false }]);
  });

  it('keeps the text unchanged, and each mark has a searched word', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
        (text, term) => {
          const pieces = piecesOf(text, termOf(term));
          assert.equal(pieces.map((piece) => piece.text).join(''), text);
          for (const piece of pieces) {
            const folded = [...piece.text].map(fold).join('');
            if (piece.isMatch) assert.ok(termOf(term).words.some((word) => folded.includes(word)));
          }
        },
      ),
    );
  });
});

describe('The words of a page', () => {
  for (const [page, words] of [
    ['install.html', 'install'],
    ['en/getting-started/install.html', 'getting started install'],
    ['guide/index.html', 'guide'],
    ['guide/', 'guide'],
    ['guide/index.htm', 'guide'],
    ['api/flask.Flask.html', 'api flask Flask'],
    ['release/1.10.html', 'release 1.10'],
    ['functions-json_agg.html', 'functions json agg'],
    ['manual.php', 'manual'],
    ['plugin/plugin.html', 'plugin'],
    ['gr%C3%B6%C3%9Fe/%E3%83%91.html', 'größe パ'],
    ['a%20b/%22c%22', 'a b c'],
    ['%ff/install', 'ff install'],
    ['', ''],
    ['index.html', ''],
    ['//', ''],
    ['-/_/.', ''],
  ] as const) {
    it(`are '${words}' for '${page}'`, () => assert.equal(wordsOfPage(page), words));
  }

  it('fit the limit of a search, in characters', () => {
    assert.equal([...wordsOfPage(encodeURIComponent('😀'.repeat(300)))].length, 0);
    assert.equal([...wordsOfPage(encodeURIComponent('𝒶'.repeat(300)))].length, MAX_TERM_CHARACTERS);
    assert.equal(wordsOfPage('/'.repeat(20_000)), '');
  });
});
