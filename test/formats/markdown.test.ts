import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MarkdownOptions, markdownOf } from '../../src/formats/html/index.js';

const pageOf = (html: string, options?: MarkdownOptions) => markdownOf(Buffer.from(html), options);
const markdown = (html: string) => pageOf(html).text;
const linked = (html: string) => pageOf(html, { linkTarget: (href) => href }).text;

/** Markup by name, with its HTML and its Markdown. */
const WRITTEN: readonly (readonly [what: string, html: string, markdown: string])[] = [
  [
    'headings with the anchor to link to',
    '<section id="boil"><h2>Boil <a href="#boil">¶</a></h2><p>Slowly.</p></section>',
    '## Boil {#boil}\n\nSlowly.',
  ],
  [
    'a term with an id as a heading below the last one, and its definition as text',
    '<h2>API</h2><dl><dt class="sig" id="k.boil">boil(<em>litres</em>, <em>**options</em>)</dt><dd><p>Heats.</p></dd></dl>',
    '## API\n\n### `boil(litres, **options)` {#k.boil}\n\nHeats.',
  ],
  [
    'terms inside of a definition further below',
    '<h1>A</h1><dl><dt id="x">class x</dt><dd><dl><dt id="x.y">y</dt><dd>Z</dd></dl></dd></dl>',
    '# A\n\n## class x {#x}\n\n### y {#x.y}\n\nZ',
  ],
  [
    'a definition list',
    '<dl><dt>one</dt><dd>1</dd><dt><code>--two</code></dt><dd><p>2</p><pre>a\n b</pre></dd></dl>',
    '- **one**: 1\n- `--two`: 2\n\n  ```\n  a\n   b\n  ```',
  ],
  [
    'several definitions of a term',
    '<dl><dt>Throws:</dt><dd>A</dd><dd>B</dd></dl>',
    '- **Throws:**\n  - A\n  - B',
  ],
  [
    'code with its language, unchanged',
    '<div class="highlight-python3"><pre><span>def</span> f(*a):\n\n    return "&lt;b&gt;_x_"\n</pre></div>',
    '```python\ndef f(*a):\n\n    return "<b>_x_"\n```',
  ],
  ['code with a fence in it', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  [
    'lines of code that are elements',
    '<div class="fragment"><div class="line">int a;</div><div class="line">  int b;</div></div>',
    '```\nint a;\n  int b;\n```',
  ],
  [
    'a signature that is a table, in one line',
    '<table class="memproto"><tr><td>int f</td><td>(</td><td>int&nbsp;</td><td>x</td><td>)</td></tr></table>',
    '```\nint f ( int x )\n```',
  ],
  ['code in a line', '<p>Use <code>a_b</code>, <tt>``</tt>.</p>', 'Use `a_b`, ``` `` ```.'],
  ['code in a line in two elements', '<p><code>a</code><code>b</code></p>', '`ab`'],
  [
    'text that looks like markup',
    '<p>&lt;T&gt; *args __init__ a_b 2 * 3 &amp;lt;</p>',
    '\\<T> \\*args \\_\\_init\\_\\_ a_b 2 * 3 \\&lt;',
  ],
  ['lines that look like lists or headings', '<p># a<br>- b<br>1. c</p>', '\\# a\n\\- b\n1\\. c'],
  ['formulas as they are', '<p>Of \\( a_{1} * b_{2} \\).</p>', 'Of \\( a_{1} * b_{2} \\).'],
  [
    'the TeX of MathML',
    '<p><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></p>',
    '$x^2$',
  ],
  ['numbers above the line', '<p>10<sup>6</sup> and a note<sup>[1]</sup></p>', '10^6 and a note[1]'],
  [
    'emphasis without white space, and none of code',
    '<p><b>bold </b>and<i> <code>x</code></i></p>',
    '**bold** and `x`',
  ],
  ['images by their text', '<p><img src="a.png" alt="A kettle"> <img src="b.png"></p>', 'A kettle'],
  [
    'a list in a list',
    '<ol start="3"><li>a<ul><li>b<p>c</p></li></ul></li><li>d</li></ol>',
    '3. a\n   - b\n\n     c\n4. d',
  ],
  ['a list with headings as text', '<ul><li><h3 id="f">f</h3><p>a</p></li></ul>', '### f {#f}\n\na'],
  [
    'a table',
    '<table><caption>C</caption><tr><th>a</th><th>b</th></tr><tr><td><p>1</p><p>2</p></td><td>x|y</td></tr></table>',
    'C\n\n| a | b |\n| --- | --- |\n| 1<br>2 | x\\|y |',
  ],
  [
    'cells that span several rows or columns',
    '<table><tr><th colspan="2">a</th><th>b</th></tr><tr><td rowspan="2">1</td><td>2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr></table>',
    '| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |',
  ],
  [
    'a layout table of code as that code',
    '<table><tr><td class="linenos"><pre>1</pre></td><td><pre>x</pre></td></tr></table>',
    '```\nx\n```',
  ],
  [
    'the table of Javadoc',
    '<div class="summary-table two-column-summary"><div class="table-header col-first">A</div><div class="table-header col-last">B</div><div class="col-first">1</div><div class="col-last">2</div></div>',
    '| A | B |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'notes and warnings with their title',
    '<div class="admonition note"><p class="admonition-title">Note</p><p>Hot.</p></div>',
    '> **Note:** Hot.',
  ],
  [
    'notes whose title is a heading',
    '<div class="warning"><h3 class="title">Warning</h3><p>Hot.</p><p>Very.</p></div>',
    '> **Warning:** Hot.\n> \n> Very.',
  ],
  [
    'notes with code, without prompts',
    '<div class="admonition tip"><p class="admonition-title">Tip</p><p>Type:</p><pre>x</pre></div>',
    '**Tip:** Type:\n\n```\nx\n```',
  ],
  ['no links', '<p><a href="a.html">A</a></p>', 'A'],
];

describe('The Markdown of a page', () => {
  for (const [what, html, expected] of WRITTEN) {
    it(`renders ${what}`, () => assert.equal(markdown(html), expected));
  }

  it('has links on request', () => {
    assert.equal(
      linked('<p>See <a href="a.html#f(int, x)"><code>f</code></a>, <a href="b"> </a>.</p>'),
      'See [`f`](a.html#f%28int,%20x%29), .',
    );
  });

  it("has only the page's main part", () => {
    const html = '<nav>Menu</nav><main><p>Text</p></main><footer>Imprint</footer>';
    assert.equal(markdown(html), 'Text');
  });

  it('has no banner about old versions, and no banner repeated above all pages', () => {
    const survey = '<body><div style="background:red;text-align:center">Survey</div>';
    const old = '<div id="outdated-warning">End of life</div>';
    assert.equal(markdown(`${survey}${old}<p>Text</p></body>`), 'Text');
  });
});

describe('The blocks of a page', () => {
  it('have kinds', () => {
    const page = pageOf(
      '<html lang="en"><title>Kettle</title><h2 id="a">A</h2><p>b</p><pre>c</pre><ul><li>d</li></ul></html>',
    );
    assert.deepEqual([page.title, page.language, page.isCut], ['Kettle', 'en', false]);
    assert.deepEqual(
      page.blocks().map(({ kind, level, anchor }) => [kind, level, anchor]),
      [
        ['heading', 2, 'a'],
        ['paragraph', undefined, undefined],
        ['code', undefined, undefined],
        ['list', undefined, undefined],
      ],
    );
  });

  it('divide a long list', () => {
    const items = Array.from({ length: 100 }, (_, n) => `<li>${'word '.repeat(20)}${n}</li>`);
    const page = pageOf(`<ul>${items.join('')}</ul>`);
    assert.ok(page.length > 3 && page.blocks().every(({ text }) => text.length < 2_000));
    assert.equal(page.text.match(/^- /gm)?.length, 100);
  });
});

/** Elements with an id, their HTML, and the beginning of what is read there. */
const PLACES: readonly (readonly [what: string, html: string, text: string])[] = [
  ['a section', '<section id="x"><h2 id="y">B</h2><p>C</section>', '## B {#y}'],
  ['a part without a heading', '<div id="x"><p>B</p></div>', 'B'],
  ['a paragraph', '<p id="x">B', 'B'],
  ['a name before a heading', '<a name="x"></a><h2 id="y">B</h2>', '## B {#y}'],
  ['a second name in a heading', '<h2 id="y"><a name="x">B</a></h2>', '## B {#y}'],
  ['a name in a paragraph', '<p>B <a name="x">c</a>', 'B c'],
  ['an item', '<ul><li>1</li><li id="x">B</li></ul>', '- B'],
  [
    'a name in an item of a list in a list',
    '<ul><li>1</li><li>B<ul><li><i id="x">C</i></li></ul></li></ul>',
    '- B',
  ],
  ['an empty item', '<ul><li>1</li><li id="x"></li><li>B</li></ul>', '- B'],
  [
    'a definition of a list in a list',
    '<ul><li><dl><dt>1<dd>2<dt>B<dd id="x">C</dl></li></ul>',
    '- - **1**: 2',
  ],
  [
    'a row',
    '<table><tr><th>1<th>2<th>3<tr><td>4<td>5<td>6<tr id="x"><td>B<td>C<td>D</table>',
    '| B | C | D |',
  ],
  [
    'a cell',
    '<table><tr><th>1<th>2<th>3<tr><td>4<td>5<td>6<tr><td>B<td id="x">C<td>D</table>',
    '| B | C | D |',
  ],
  ['a row of a name and its meaning', '<table><tr><td>1<td>2<tr><td>B<td id="x">C</table>', '- **B**: C'],
  ['a row of headings', '<table><tr id="x"><th>B<th>C<th>D<tr><td>4<td>5<td>6</table>', '| B | C | D |'],
  ['a row of a layout table', '<table><tr><td>1<tr id="x"><td><h2>B</h2></table>', '## B'],
  [
    'an empty row',
    '<table><tr><th>1<th>2<th>3<tr id="x"><td><td><td><tr><td>B<td>C<td>D</table>',
    '| B | C | D |',
  ],
  ['an empty table', '<table><tr><td id="x"><td></table><p>B', 'B'],
  [
    'an omitted row of links',
    '<p id="x"><a href="a">Next</a> | <a href="b">Up</a></p><p>Brew it.',
    'Brew it.',
  ],
  ['a definition', '<dl><dt>1<dd>2<dt>B<dd id="x">C</dl>', '- **B**: C'],
  ['a line of code', '<pre>\n\n1\n2\n<a id="x"></a>B\nC</pre>', 'B\nC'],
  ['code', '<pre id="x">B</pre>', 'B\n```'],
  ['an omitted line number', '<pre>1\n<span class="lineno" id="x">7</span>B</pre>', 'B'],
  ['a quote', '<blockquote><p id="x">B</blockquote>', '> B'],
  ['an omitted part', '<nav id="x">Menu</nav><p>B', 'B'],
  ['an element in an omitted part', '<footer><a name="x"></a></footer><p>B', 'B'],
  ['a hidden element', '<p hidden id="x">1</p><p>B', 'B'],
  ['an image', '<p>B <img id="x" alt="c">', 'B c'],
  ['an empty element before the next block', '<div id="x"></div><hr><table><tr><td>B</table>', 'B'],
  ['an empty element at the end of the page', '<p>B<a name="x"></a><div id="x"></div>', 'B'],
];

describe('An id in a page', () => {
  for (const [what, html, text] of PLACES) {
    it(`leads to the text of ${what}`, () => {
      const page = pageOf(`<h1>A</h1><p>0</p>${html}`);
      const { at, from } = page.placeOf('x') ?? { at: -1, from: 0 };
      const [block] = page.blocks(at, at + 1);
      assert.ok(block?.text.slice(from).startsWith(text), `${block?.text.slice(from)} of ${page.text}`);
    });
  }

  it('leads nowhere in an omitted part beyond a limit, and later text is read', () => {
    const ids = ['x', 'y', 'z'].map((id) => `<p id=${id}>Menu`).join('');
    const page = pageOf(`<p>A</p><nav>${ids}</nav><p>B`, { limits: { anchors: 2 } });
    assert.deepEqual(
      ['x', 'y', 'z'].map((id) => page.placeOf(id)?.at),
      [1, 1, undefined],
    );
    assert.deepEqual([page.text, page.isCut], ['A\n\nB', false]);
  });

  it('leads to its text wherever the page is split', () => {
    const parts = Array.from(
      { length: 6_000 },
      (_, n) => `<div id="d${n}"><p>Part <b>${n}</b></p><ul><li id="l${n}">Item <i>${n}</i></ul></div>`,
    );
    const page = pageOf(`<main id="all"><p>All</p>${parts.join('')}</main>`);
    const textAt = (id: string) => {
      const { at, from } = page.placeOf(id) ?? { at: -1, from: 0 };
      return page.blocks(at, at + 1)[0]?.text.slice(from);
    };
    assert.equal(page.length, 12_001);
    assert.equal(textAt('all'), 'All');
    for (const n of [0, 1, 999, 1_000, 1_001, 3_333, 5_999])
      assert.deepEqual([textAt(`d${n}`), textAt(`l${n}`)], [`Part **${n}**`, `- Item *${n}*`]);
  });
});
