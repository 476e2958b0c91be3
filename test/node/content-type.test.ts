import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodePage } from '../../src/formats/html/index.js';
import { CharsetReader, charsetOf, contentTypeOf } from '../../src/node/content-type.js';
import '../support/long-runs.js';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** Bytes that are no UTF-8, and letters in each charset that has one byte for each character. */
const LETTERS = '\xcf\xf0\xe8';
const pageWith = (head: string, body = LETTERS) => latin1(`<!doctype html><head>${head}</head><p>${body}`);
const declaring = (label: string, body = LETTERS) => pageWith(`<meta charset="${label}">`, body);
const inUtf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('The charset of a page', () => {
  for (const [label, charset] of [
    ['Shift_JIS', 'Shift_JIS'],
    ['x-sjis', 'Shift_JIS'],
    ['Windows-31J', 'Shift_JIS'],
    ['euc-jp', 'EUC-JP'],
    ['ks_c_5601-1987', 'EUC-KR'],
    ['gb2312', 'GBK'],
    ['gb18030', 'GB18030'],
    ['big5', 'Big5'],
    ['CP1251', 'windows-1251'],
    ['koi8-r', 'KOI8-R'],
    ['koi8-u', 'KOI8-U'],
    ['latin1', 'windows-1252'],
    ['us-ascii', 'windows-1252'],
    ['iso-8859-9', 'windows-1254'],
    ['iso-8859-15', 'ISO-8859-15'],
    ['iso-8859-16', 'ISO-8859-16'],
    ['iso-8859-8-i', 'ISO-8859-8-I'],
    ['tis-620', 'windows-874'],
    ['cp866', 'IBM866'],
    ['x-mac-roman', 'macintosh'],
    ['x-mac-cyrillic', 'x-mac-cyrillic'],
    [' koi8-r ', 'KOI8-R'],
  ] as const) {
    it(`is ${charset} for the label ${label}`, () => {
      const page = declaring(label, '\xe0\xe1');
      assert.equal(charsetOf('a.html', page), charset);
      assert.doesNotMatch(decodePage(page), /\ufffd/);
    });
  }

  for (const [what, head] of [
    ['<meta charset> without quotes', '<meta charset=windows-1251>'],
    ['a tag that ends itself', '<META/CHARSET = windows-1251 />'],
    ['http-equiv', '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'],
    [
      'http-equiv behind its content',
      "<meta content='text/html;charset=windows-1251' http-equiv='content-type'>",
    ],
    [
      'a label in quotes in a content',
      `<meta http-equiv=content-type content='text/html; charset="windows-1251"'>`,
    ],
    ['the first label that is one', '<meta charset="{{charset}}"><meta charset=windows-1251>'],
    [
      'a tag behind one with an apostrophe',
      "<title>it's</title><link title=it's><meta charset=windows-1251>",
    ],
    ['a tag behind a > in quotes', '<link title="<meta charset=koi8-r>"><meta charset=windows-1251>'],
    [
      'a tag behind another one of a page',
      '<meta name="description" content="charset=koi8-r"><meta charset=cp1251>',
    ],
    ['a tag behind a comment', '<!-- <meta charset=koi8-r> --><!--><meta charset=windows-1251>'],
    ['a tag behind a long title', `<title>${'x'.repeat(3_000)}</title><meta charset=windows-1251>`],
  ] as const) {
    it(`is declared by ${what}`, () => {
      assert.equal(charsetOf('a.html', pageWith(head)), 'windows-1251');
      assert.match(decodePage(pageWith(head)), /При$/);
    });
  }

  it('is declared by the XML declaration when no tag declares it', () => {
    const declaration = '<?xml version="1.0" encoding="koi8-r"?>';
    assert.equal(charsetOf('a.html', latin1(`${declaration}<p>${LETTERS}`)), 'KOI8-R');
    assert.equal(
      charsetOf('a.html', latin1(`${declaration}<meta charset=cp1251><p>${LETTERS}`)),
      'windows-1251',
    );
  });

  it('is UTF-8 without a declaration, whatever the bytes', () => {
    for (const head of [
      '',
      '<meta name="x" content="text/html; charset=koi8-r">',
      '<meta charset=utf-8>',
      '<!-- <meta charset=koi8-r>',
      '<meta charset=koi8-r',
    ]) {
      assert.equal(charsetOf('a.html', latin1(head + LETTERS)), undefined, head);
    }
  });

  it('is UTF-8 when the bytes are, whatever is declared', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 3_000 });
    const labels = fc.constantFrom('shift_jis', 'windows-1251', 'gb18030', 'iso-2022-jp', 'koi8-r');
    fc.assert(
      fc.property(text, labels, fc.constantFrom('a.html', 'a.css', 'a.js', 'a.txt'), (some, label, name) => {
        const page = Buffer.from(`<meta charset="${label}">${some}ü`);
        assert.equal(charsetOf(name, page), undefined);
        assert.equal(charsetOf(name, Buffer.from(`@charset "${label}";${some}ü`)), undefined);
        assert.equal(decodePage(page), page.toString());
      }),
    );
  });

  it('is the declared one for ASCII alone, since scripts and styles may inherit it', () => {
    assert.equal(charsetOf('a.html', declaring('windows-1251', 'x')), 'windows-1251');
    assert.equal(charsetOf('a.html', pageWith('', 'x')), undefined);
  });

  for (const label of [
    'iso-2022-jp',
    'iso-2022-kr',
    'hz-gb-2312',
    'utf-7',
    'x-user-defined',
    'unicode',
    'utf-16',
    'replacement',
    'klingon',
    '',
  ]) {
    it(`is UTF-8 for the label '${label}', which is reported`, () => {
      for (const body of ['x', '\x1b$B<script>\x1b(B', LETTERS]) {
        const reader = new CharsetReader('html');
        reader.take(declaring(label, body));
        assert.deepEqual(reader.find(), { refused: label });
        assert.equal(decodePage(declaring(label, body)), declaring(label, body).toString());
      }
      const reader = new CharsetReader('css');
      reader.take(latin1(`@charset "${label}";/*${LETTERS}*/`));
      assert.deepEqual(reader.find(), { refused: label });
    });
  }

  it('follows a byte order mark, whatever is declared', () => {
    const utf8 = Buffer.concat([Buffer.from('\ufeff'), declaring('koi8-r')]);
    assert.equal(charsetOf('a.html', utf8), undefined);
    for (const bytes of [inUtf16('<meta charset=koi8-r>x'), inUtf16('x').swap16()]) {
      assert.equal(charsetOf('a.html', bytes), 'UTF-16');
      assert.equal(charsetOf('a.js', bytes), 'UTF-16');
    }
  });
});

describe('The charset of a style sheet, a script and other text', () => {
  it('follows @charset at the very start', () => {
    assert.equal(charsetOf('a.css', latin1(`@charset "windows-1251";/*${LETTERS}*/`)), 'windows-1251');
    for (const start of [' @charset "windows-1251";', "@charset 'windows-1251';", '@charset  "cp1251";']) {
      assert.equal(charsetOf('a.css', latin1(`${start}/*${LETTERS}*/`)), 'unknown', start);
    }
  });

  it('is unknown without a declaration when the bytes are not UTF-8', () => {
    for (const name of ['a.css', 'a.js', 'a.mjs', 'a.txt', 'a.json', 'a.csv', 'a.md']) {
      assert.equal(charsetOf(name, declaring('koi8-r')), 'unknown', name);
      assert.equal(charsetOf(name, declaring('koi8-r', 'x')), undefined, name);
    }
  });

  it('is not detected in XML, which declares its own, and in binary files', () => {
    for (const name of ['a.xml', 'a.svg', 'a.xhtml', 'a.png', 'a.woff2', 'README']) {
      assert.equal(charsetOf(name, latin1(LETTERS)), undefined, name);
    }
  });
});

describe('The charset detector', () => {
  it('is independent of chunks', () => {
    const bytes = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 50 }).map((some) => Buffer.from(some)),
    );
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 5 }), fc.array(fc.nat(300)), (parts, cuts) => {
        const whole = Buffer.concat([Buffer.from('<meta charset=koi8-r>'), ...parts]);
        const reader = new CharsetReader('html');
        const ends = [...cuts.map((cut) => Math.min(cut, whole.length)), whole.length].sort((a, b) => a - b);
        for (const [at, end] of ends.entries()) reader.take(whole.subarray(ends[at - 1] ?? 0, end));
        const isUtf8 = whole.equals(Buffer.from(whole.toString()));
        const isAscii = whole.every((byte) => byte < 0x80);
        assert.equal(reader.find().charset, isUtf8 && !isAscii ? undefined : 'KOI8-R');
      }),
    );
  });

  it('treats a split character as UTF-8 only when the file goes on', () => {
    const cut = Buffer.from('<meta charset=koi8-r>ü').subarray(0, -1);
    assert.equal(charsetOf('a.html', cut), 'KOI8-R');
    assert.equal(charsetOf('a.html', cut, true), undefined);
  });

  it('is fast with unfinished tags', () => {
    for (const piece of ['<a', '<a b="', "<meta '", '<!--', '<meta charset = ', '<?xml encoding ']) {
      const before = process.cpuUsage().user;
      for (let round = 0; round < 100; round += 1) charsetOf('a.html', latin1(piece.repeat(2_000) + LETTERS));
      assert.ok(process.cpuUsage().user - before < 2_000_000, piece);
    }
  });
});

describe('The content type of a text', () => {
  it('names its charset, or none when unknown', () => {
    assert.equal(contentTypeOf('a/b.html'), 'text/html; charset=utf-8');
    assert.equal(contentTypeOf('a/b.html', 'Shift_JIS'), 'text/html; charset=Shift_JIS');
    assert.equal(contentTypeOf('a.css', 'unknown'), 'text/css');
    assert.equal(contentTypeOf('a.svg', 'Shift_JIS'), 'image/svg+xml');
    assert.equal(contentTypeOf('a.html/README'), 'application/octet-stream');
  });
});
