import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodePage } from '../../src/formats/html/index.js';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const inUtf16 = (text: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

/** Each page says `é`. */
const PAGES: readonly (readonly [what: string, page: Uint8Array])[] = [
  ['UTF-8 without a label', Buffer.from('<p>é')],
  ['<meta charset>', latin1('<meta charset=iso-8859-1><p>é')],
  ['<meta charset> in capitals and quotes', latin1('<META CHARSET = "ISO-8859-1"><p>é')],
  [
    '<meta http-equiv>',
    latin1('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>é'),
  ],
  ['the XML declaration', latin1('<?xml version="1.0" encoding="ISO-8859-15"?><html><p>é')],
  [
    'a label after a title of 2,000 characters',
    latin1(`<title>${'x'.repeat(2_000)}</title><meta charset=latin1>é`),
  ],
  ['an unknown label, which counts for nothing', Buffer.from('<meta charset="klingon"><p>é')],
  ['a label in a comment, which counts for nothing', Buffer.from('<!-- <meta charset=latin1> --><p>é')],
  ['UTF-16 as label of a page that is none', Buffer.from('<meta charset="utf-16"><p>é')],
  ['the byte order mark of UTF-8, whatever the label', Buffer.from('\ufeff<meta charset=latin1><p>é')],
  ['the byte order mark of UTF-16, little end first', inUtf16('<p>é', 'le')],
  ['the byte order mark of UTF-16, big end first', inUtf16('<meta charset=latin1><p>é', 'be')],
];

describe('The encoding of a page', () => {
  for (const [what, page] of PAGES) {
    it(`is detected from ${what}`, () => {
      const text = decodePage(page);
      assert.match(text, /é$/);
      assert.doesNotMatch(text, /\ufeff/);
    });
  }

  it('may be an Asian encoding', () => {
    const page = Buffer.concat([
      Buffer.from('<meta charset="Shift_JIS">'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
    ]);
    assert.match(decodePage(page), /日本$/);
  });

  it('is UTF-8 even when a page is cut within a character', () => {
    const page = Buffer.from('<meta charset=latin1><p>é日');
    for (const end of [-1, -2]) assert.match(decodePage(page.subarray(0, end)), /<p>é$/);
  });

  it('may be broken: invalid bytes become replacement characters', () => {
    assert.equal(decodePage(Uint8Array.of(0x61, 0xff, 0x62)), 'a\ufffdb');
    assert.equal(decodePage(Uint8Array.of()), '');
  });
});
