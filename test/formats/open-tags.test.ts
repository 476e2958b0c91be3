import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHtml } from '../../src/formats/html/parse-html.js';
import { Budget, READING_LIMITS } from '../../src/formats/html/reading-limits.js';
import { WorkTime } from '../../src/formats/work-time.js';

/** Elements with what is in them: `p(text b(bold))`. */
function shapeOf(html: string): string {
  let shape = '';
  const events = {
    open: (name: string) => {
      shape += ` ${name}(`;
    },
    close: () => {
      shape += ')';
    },
    text: (part: string) => {
      shape += part;
    },
  };
  parseHtml(html, events, new Budget(READING_LIMITS, new WorkTime(60_000)));
  return shape
    .replace(/\s+/g, ' ')
    .replace(/ ?([()]) ?(?=[()])|(?<=\() | (?=\))/g, '$1')
    .trim();
}

const SHAPES: readonly (readonly [what: string, html: string, shape: string])[] = [
  [
    'a paragraph before a term and its text',
    '<dl><p>a<dt>b<dd>c<p>d<dt>e</dl>',
    'dl(p(a) dt(b) dd(c p(d)) dt(e))',
  ],
  ['a paragraph with open inline elements before a block', '<p><b>a<ul><li>b</ul>c', 'p(b(a)) ul(li(b))c'],
  [
    'a paragraph before a heading, and not before an inline element',
    '<p>a<h2>b</h2><p>c<span>d',
    'p(a) h2(b) p(c span(d))',
  ],
  ['no paragraph around a cell or a button', '<p><button><p>a</button>b', 'p(button(p(a))b)'],
  [
    'an item with blocks before the next item, and not the item around a list',
    '<ul><li><div>a<li>b<ul><li>c</ul>d</ul>',
    'ul(li(div(a)) li(b ul(li(c))d))',
  ],
  [
    'cells, rows and parts of a table',
    '<table><tr><td><b>a<td>b<tr><th>c<tbody><tr><td>d</table>e',
    'table(tr(td(b(a)) td(b)) tr(th(c)) tbody(tr(td(d))))e',
  ],
  [
    'no cell around a nested table',
    '<table><tr><td><table><tr><td>a</table>b</table>',
    'table(tr(td(table(tr(td(a)))b)))',
  ],
  ['a heading at the end tag of another level', '<h2>a</h3>b', 'h2(a)b'],
  ['a link at the next link', '<a name=x><h2>a</h2>b<a name=y>c', 'a(h2(a)b) a(c)'],
  ['a link that is never closed, with the block in it', '<a name=x><p>a<a name=y>b<p>c', 'a(p(a a(b))) p(c)'],
  ['bold text at the end of the block in which it ends', '<b><p>a</b>b</p>c', 'b(p(ab))c'],
  ['no block at the end tag of an outer inline element', '<span><div>a</span>b</div>c', 'span(div(ab)c)'],
  [
    'no element outside of the cell with the end tag',
    '<div><table><tr><td>a</div>b</table>c</div>',
    'div(table(tr(td(ab)))c)',
  ],
  ['an empty paragraph for an end tag alone', 'a</p>b', 'a p()b'],
  ['nothing at the end of the body', '<html><body><p>a</body></html>b', 'html(body(p(ab)))'],
  ['drawings at the first tag of text', '<svg><g><path/><p>a', 'svg(g(path())) p(a)'],
  ['names in capitals', '<DL><P>a<DT>b</dl>', 'dl(p(a) dt(b))'],
];

describe('The elements of a page', () => {
  for (const [what, html, shape] of SHAPES) {
    it(`close ${what}`, () => assert.equal(shapeOf(html), shape));
  }

  it('have each attribute once, with entities decoded, whatever the quotes', () => {
    const found: object[] = [];
    const events = { open: (_: string, attributes: object) => found.push(attributes), close() {}, text() {} };
    const html = `<a HREF="?a=1&amp;b" id='x' id=y title=a&lt;b disabled>`;
    parseHtml(html, events, new Budget(READING_LIMITS, new WorkTime(60_000)));
    assert.deepEqual(found, [{ href: '?a=1&b', id: 'x', title: 'a<b', disabled: '' }]);
  });
});
