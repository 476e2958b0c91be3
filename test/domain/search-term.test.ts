import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fold, piecesOf } from '../../src/domain/index.js';

const marked = (text: string, term: string) =>
  piecesOf(text, term)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('');

const MARKED: readonly (readonly [text: string, term: string, marks: string])[] = [
  ['My Project', 'proj', 'My [Proj]ect'],
  ['banana', 'an', 'b[an][an]a'],
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

describe('What a search has found', () => {
  for (const [text, term, marks] of MARKED) {
    it(`is marked: '${term}' in '${text}'`, () => assert.equal(marked(text, term), marks));
  }

  it('is cut out of the text without changing it, and each mark is what was searched for', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
        (text, term) => {
          const pieces = piecesOf(text, term);
          assert.equal(pieces.map((piece) => piece.text).join(''), text);
          for (const piece of pieces) {
            if (piece.isMatch) assert.equal([...piece.text].map(fold).join(''), fold(term));
          }
        },
      ),
    );
  });
});
