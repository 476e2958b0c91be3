import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markdownOf, type ReadingLimits } from '../../src/formats/html/index.js';

const SIZE = 1_000_000;
/**
 * Most processor time for a page, in milliseconds. Each takes a tenth of it; what grows with the square of its size takes
 * more.
 */
const MOST_MS = 4_000;
/** Most characters of Markdown. */
const MOST_CHARACTERS = 5 * SIZE + 1_000;

const fill = (text: string) => text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE);

const PAGES: readonly (readonly [what: string, html: () => string])[] = [
  ['nested <div>', () => fill('<div>')],
  ['nested lists', () => fill('<ul><li>a')],
  ['nested lists with many lines in each', () => `${'<ul><li>a'.repeat(250)}${fill('<p>a</p>')}`],
  ['nested quotes', () => `${'<blockquote>'.repeat(500)}${fill('a<br>')}`],
  ['nested definitions', () => fill('<dl><dt id=a>a<dd>')],
  ['nested tables', () => fill('<table><tr><td>a<td>b')],
  ['nested emphasis', () => `${'<b><i>'.repeat(250)}${fill('a ')}`],
  ['paragraphs', () => fill('<p>Some words.</p>')],
  ['links', () => fill('<a href="https://example.org/some/page.html">a</a>')],
  ['links with white space', () => `<a href=a>${fill(' <i></i>')}b</a>`],
  ['cells', () => `<table>${fill('<tr><td>a<td>b')}`],
  ['a row of cells', () => `<table><tr>${fill('<td>a')}`],
  ['cells over many rows and columns', () => `<table>${fill('<tr><td rowspan=99999 colspan=99999>a')}`],
  ['back-ticks', () => `<pre>${fill('`')}`],
  ['code in lines', () => fill('<code>a</code>')],
  ['signs of Markdown', () => fill('*_[](<a`#')],
  ['formulas without an end', () => fill('\\( \\[ ')],
  ['line breaks', () => fill('<br>')],
  ['headings', () => fill('<h1>a</h1>')],
  ['notes in notes', () => fill('<div class=note><h3 class=title>a</h3>')],
];

describe('Markdown of a hostile page', () => {
  for (const [what, html] of PAGES) {
    it(`is bounded for ${what}`, () => {
      const bytes = Buffer.from(html());
      const before = process.cpuUsage();
      const { text } = markdownOf(bytes, { linkTarget: (href) => href });
      const { user, system } = process.cpuUsage(before);
      const milliseconds = (user + system) / 1_000;
      assert.ok(milliseconds < MOST_MS, `${milliseconds} ms`);
      assert.ok(text.length < MOST_CHARACTERS);
    });
  }

  it('reports a cut where a limit is exceeded', () => {
    const html = Buffer.from('<p>One</p><p>two <b>three</b></p><p>four</p>');
    const cut = (limits: Partial<ReadingLimits>) => {
      const { text, isCut } = markdownOf(html, { limits });
      return [text, isCut];
    };
    assert.deepEqual(cut({ blocks: 1 }), ['One', true]);
    assert.deepEqual(cut({ elements: 3 }), ['One\n\ntwo **three**', true]);
    assert.deepEqual(cut({ bytes: 15 }), ['One\n\ntw', true]);
    assert.deepEqual(cut({ characters: 9 }), ['One\n\ntwo ', true]);
  });

  it('cuts a table beyond the limit between its rows, and keeps the rows', () => {
    const row = '<tr><td colspan=40>a';
    const page = markdownOf(Buffer.from(`<h1>Cells</h1><table><tr>${'<td>x'.repeat(40)}${row.repeat(60)}`), {
      limits: { characters: 550 },
    });
    const [heading, table] = page.blocks();
    assert.deepEqual([heading?.text, table?.kind, page.isCut], ['# Cells', 'table', true]);
    assert.match(table?.text ?? '', /\n\| a \|(?: {2}\|){39}$/);
    assert.ok(page.text.length <= 560);
  });
});
