import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Cut, READING_LIMITS, readPage } from '../../src/formats/html/index.js';
import { read, wordsOf } from './read.js';

const SIZE = 1_000_000;
/**
 * Most processor time for a page, in milliseconds. Each takes about 100 on an idle machine; what grows with the square
 * of its size takes more.
 */
const MOST_MS = 3_000;
/** Small enough that pages of this size exceed them. */
const LIMITS = {
  ...READING_LIMITS,
  sections: READING_LIMITS.sections / 10,
  milliseconds: 60_000,
};

const fill = (text: string) => text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE);
function numbered(part: (number: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, number = 0; length < SIZE; number += 1) {
    parts.push(part(number));
    length += parts.at(-1)?.length ?? 0;
  }
  return parts.join('');
}

/** Pages of 1 MB, and what must be said to be cut. */
const PAGES: readonly (readonly [what: string, html: () => string, cut: readonly Cut[]])[] = [
  ['nested <div>', () => fill('<div>'), ['depth']],
  ['nested <div> in an omitted part', () => `<nav>${fill('<div>')}`, ['depth']],
  ['nested <svg> and <desc>', () => fill('<svg><desc>'), ['depth']],
  ['nested tables', () => fill('<table><tr><td>'), ['depth']],
  ['elements at the greatest depth', () => '<b>'.repeat(510) + fill('<i></i>'), []],
  ['unmatched end tags at the greatest depth', () => '<b>'.repeat(510) + fill('</i>'), []],
  ['paragraphs that close each other', () => fill('<p>'), []],
  ['end tags of paragraphs', () => fill('</p>'), []],
  ['one element with a million attributes', () => `<div ${numbered((n) => `a${n}=1 `)}>`, []],
  ['one element with numbers as attributes', () => `<div ${numbered((n) => `${n * 7_919} `)}>`, []],
  ['a long class', () => `<div class="${fill('a b ')}">`, []],
  ['a long id of a heading', () => `<h1 id="${fill('x')}">A</h1>`, []],
  [
    'classes that other builders leave out',
    () => `<div class="${fill('x ').slice(SIZE / 2)}"><div class="${fill('summary ').slice(SIZE / 2 + 50)}">`,
    [],
  ],
  ['elements with many such classes', () => fill(`<i class="${'summary '.repeat(120)}"></i>`), []],
  ['elements with different classes', () => numbered((n) => `<b class="c${n} d${n}">`), ['depth']],
  [
    'rules that hide the same element',
    () => `<style>${fill('.x{display:none}')}</style>${fill('<i class=x>a</i>')}`,
    [],
  ],
  [
    'panels that open each other',
    () => numbered((n) => `<p hidden id=a${n}><b aria-controls=a${n + 1}></b>`),
    [],
  ],
  ['a panel with many labels', () => `<p hidden aria-labelledby="${fill('a ').slice(50)}">`, []],
  ['panels with controls of one name', () => fill('<p hidden id=a><b aria-controls=a></b></p>'), []],
  ['brackets in a style that never end', () => `<style>.x{${fill('(')}`, []],
  ['an attribute that never ends', () => `<a href="${fill('x')}`, []],
  ['a comment that never ends', () => `<!--${fill('-')}`, []],
  ['comments', () => fill('<!-- -->'), []],
  ['signs <', () => fill('<'), []],
  ['signs &', () => fill('&'), []],
  ['entities', () => fill('&lt;'), []],
  ['entities of the largest character', () => fill('&#x10ffff;'), []],
  ['Chinese characters', () => fill('漢字'), []],
  ['combining marks', () => `a${fill('\u0301')}`, []],
  ['white space', () => fill(' \n\t'), []],
  ['line breaks in <pre>', () => `<pre>${fill('\n')}`, []],
  ['NUL', () => fill('\0'), []],
  ['headings', () => fill('<h1>a</h1>'), ['sections']],
  ['headings at the greatest depth', () => '<b id=x>'.repeat(500) + fill('<h1>a</h1>'), ['sections']],
  ['one heading', () => `<h1>${fill('word ')}`, []],
  ['terms with ids', () => numbered((n) => `<dt id=d${n}>t`), ['sections']],
  ['one title', () => `<title>${fill('&lt;x ')}`, []],
  [
    'white space in place of the address of a redirect',
    () => `<meta http-equiv=refresh content="0;${fill(' ')}`,
    [],
  ],
  [
    'white space before the address of a redirect',
    () => `<meta http-equiv=refresh content="0;${fill(' ').slice(100)}">`,
    [],
  ],
  ['main parts', () => fill('<main></main>'), []],
  ['a main part in a comment', () => `<!--<main>-->${fill('<p>a')}`, []],
  ['a script that nearly ends', () => `<script>${fill('</scrip ')}`, []],
  ['the name of an element', () => `<${fill('a')}`, []],
];

describe('A page of 1 MB', () => {
  for (const [what, html, cut] of PAGES) {
    it(`is read in time when made of ${what}`, () => {
      const bytes = Buffer.from(html()).subarray(0, SIZE);
      const before = process.cpuUsage();
      const page = readPage(bytes, { path: 'page.html', limits: LIMITS });
      const { user, system } = process.cpuUsage(before);
      assert.deepEqual(page.cut, cut);
      assert.ok(user + system < MOST_MS * 1_000, `it took ${Math.round((user + system) / 1_000)} ms`);
      assert.ok(wordsOf(page).length <= SIZE + 2 * LIMITS.sections);
    });
  }
});

describe('The limits on a page', () => {
  it('keep a page of 10 MB whole', () => {
    const part = `<h2 id="a">Kettle \u201c</h2><p>${'The lid is closed. '.repeat(500)}</p>`;
    const html = `${part.repeat(1_030)}<h2 id="last">Whistle</h2><p>It blows.`;
    const bytes = Buffer.from(html);
    assert.ok(bytes.length > 9_500_000 && bytes.length < READING_LIMITS.bytes);
    const { sections, cut } = readPage(bytes, { path: 'page.html' });
    assert.deepEqual([sections.length, cut], [1_031, []]);
    assert.deepEqual(sections.at(-1), { heading: 'Whistle', level: 2, anchor: 'last', text: 'It blows.' });
  });

  it('drop an anchor of more than 200 characters, not its section', () => {
    const page = read(`<h2 id="${'x'.repeat(200)}">A</h2>a<h2 id="${'x'.repeat(201)}">B</h2>b`);
    assert.deepEqual(
      page.sections.map(({ heading, anchor, text }) => [heading, anchor?.length, text]),
      [
        ['A', 200, 'a'],
        ['B', undefined, 'b'],
      ],
    );
  });

  it('truncate a page at a number of bytes', () => {
    const page = read('<p>one</p><p>two</p>', { limits: { bytes: 13 } });
    assert.equal(wordsOf(page).trim(), 'one');
    assert.deepEqual(page.cut, ['bytes']);
  });

  it('truncate a page at a too deep element, and keep the text before', () => {
    const page = read('<h1>A</h1><p>one<b><i>two</i></b>', { limits: { depth: 2 } });
    assert.equal(wordsOf(page), 'A\none');
    assert.deepEqual(page.cut, ['depth']);
  });

  it('turn headings beyond the last section into text', () => {
    const page = read('<h1>A</h1>one<h1>B</h1>two<h1>C</h1>three', { limits: { sections: 2 } });
    assert.deepEqual(
      page.sections.map(({ heading, text }) => [heading, text]),
      [['A', 'one\nB\ntwo\nC\nthree']],
    );
    assert.deepEqual(page.cut, ['sections']);
  });

  it('truncate a page after a time limit', () => {
    const page = read('<p>word</p>'.repeat(10_000), {
      limits: { milliseconds: 0, millisecondsPerMegabyte: 0 },
    });
    assert.deepEqual(page.cut, ['time']);
    assert.match(wordsOf(page), /^\s*word\n/);
  });

  it('ignore the time in which the process is suspended', (context) => {
    const now = performance.now.bind(performance);
    let looks = 0;
    context.mock.method(performance, 'now', () => now() + (looks++ > 5 ? 60_000 : 0));
    const words = '<p>word</p>'.repeat(10_000);
    // An empty main part has the page read once more.
    for (const page of [words, `<main></main>${words}`]) {
      looks = 0;
      assert.deepEqual(read(page).cut, []);
      assert.ok(looks > 6);
    }
  });

  it('report nothing about a page within the limits', () => {
    assert.deepEqual(read('<p>one').cut, []);
  });
});
