import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markdownOf } from '../../src/formats/html/index.js';
import { outline, read } from './read.js';

type Outline = readonly (readonly [number, string, string | undefined, string])[];

/** Terms and signatures whose anchor is another element's, as builders write them. */
const TERMS: readonly (readonly [what: string, html: string, sections: Outline])[] = [
  [
    'of DocBook and SCons, with an anchor in front',
    '<dl><dt><a name="f-Alias"></a><span class="term">Alias</span></dt><dd>x</dd></dl>',
    [[7, 'Alias', 'f-Alias', 'x']],
  ],
  [
    'of SWI-Prolog, in their anchor',
    '<dl><dt class="pubdef"><a name="append/3"><b>append</b>(<i>?A, ?B</i>)</a></dt><dd>x</dd></dl>',
    [[7, 'append(?A, ?B)', 'append/3', 'x']],
  ],
  [
    'of Slurm, with a link to themselves behind',
    '<DL><P>a<dt><B>MaxJobs</B><a id="OPT_MaxJobs" href="#OPT_MaxJobs"></a></dt><dd>x</dd></DL>',
    [
      [0, '', undefined, 'a'],
      [7, 'MaxJobs', 'OPT_MaxJobs', 'x'],
    ],
  ],
  [
    'of GObject, with an id on their code',
    '<dl><dt><code id="value.blue">BLUE</code> (1)</dt><dd>x</dd></dl>',
    [[7, 'BLUE (1)', 'value.blue', 'x']],
  ],
  ['with an anchor right before', '<dl><a name="w"></a>\n<dt>-w</dt><dd>x</dd></dl>', [[7, '-w', 'w', 'x']]],
  [
    'with several names, by the first anchor',
    '<dl><dt><a id="a">-a</a>, <a id="all">--all</a></dt><dd>x</dd></dl>',
    [[7, '-a, --all', 'a', 'x']],
  ],
  [
    'of Haddock, without links to themselves and to their source',
    '<div class="top"><p class="src"><a id="v:boil" class="def">boil</a> :: Int <a href="src/K.html#boil" class="link">Source</a> <a href="#v:boil" class="selflink">#</a></p><div class="doc"><p>x</p></div></div>',
    [[7, 'boil :: Int', 'v:boil', 'x']],
  ],
  [
    'of Haddock, in the cells of a table',
    '<table><tr><td class="src"><a id="v:Tea" class="def">Tea</a></td><td class="doc">x</td></tr></table>',
    [[7, 'Tea', 'v:Tea', 'x']],
  ],
  [
    'of C in DocBook',
    '<div class="funcsynopsis"><a id="boil"></a><p><code class="funcdef">int <b>boil</b>(</code>int <var>l</var><code>)</code>;</p></div><p>x</p>',
    [[7, 'int boil(int l);', 'boil', 'x']],
  ],
  [
    'of a list of settings in DocBook',
    '<div class="seglistitem"><a id="configLid"></a><div class="seg"><b>Option: </b>Kettle::Lid</div><div class="seg">x</div></div>',
    [[7, 'Option: Kettle::Lid', 'configLid', 'x']],
  ],
  [
    'of odoc',
    '<div class="odoc-spec"><div class="spec value anchored" id="val-boil"><a href="#val-boil" class="anchor"></a><code>val boil : int</code></div><div class="spec-doc"><p>x</p></div></div>',
    [[7, 'val boil : int', 'val-boil', 'x']],
  ],
];

const TEXT: readonly (readonly [what: string, html: string, text: string])[] = [
  ['without an anchor', '<dl><dt>a</dt><dd>x</dd></dl>', 'a\nx'],
  ['that only refer to a footnote', '<dl><dt>a <a id="r1" href="#n1">1</a></dt><dd>x</dd></dl>', 'a 1\nx'],
  ['with a raised number', '<dl><dt>a<sup id="r1">1</sup></dt><dd>x</dd></dl>', 'a1\nx'],
  [
    'with an anchor before that, and text after it',
    '<a id="n"></a>t<dl><dt>a</dt><dd>x</dd></dl>',
    't\na\nx',
  ],
  ['of a list that has an anchor', '<a id="n"></a><dl><dt>a</dt><dd>x</dd></dl>', 'a\nx'],
  ['of lines of code', '<div class="src"><span id="l1">a</span></div>', 'a'],
];

describe('Terms and signatures', () => {
  for (const [what, html, sections] of TERMS) {
    it(`begin a section, and are headings in Markdown, ${what}`, () => {
      assert.deepEqual(outline(read(html)), sections);
      const headings = markdownOf(Buffer.from(html))
        .blocks()
        .filter(({ kind }) => kind === 'heading');
      assert.deepEqual(
        headings.map(({ anchor }) => anchor),
        sections.flatMap(([, , anchor]) => anchor ?? []),
      );
    });
  }

  for (const [what, html, text] of TEXT) {
    it(`are text ${what}`, () => assert.deepEqual(outline(read(html)), [[0, '', undefined, text]]));
  }

  it('leave the preceding anchor to the next heading when they have none', () => {
    const html = '<section id="s"><dl><dt>a</dt></dl><h2>B</h2></section>';
    assert.deepEqual(outline(read(html)).at(-1), [2, 'B', 's', '']);
  });

  it('are text when much of it comes before the anchor', () => {
    const long = `<dl><dt>${'<b>b</b> '.repeat(200)}<a id="x"></a></dt></dl>`;
    assert.equal(read(long).sections[0]?.anchor, undefined);
  });

  it("are found in pgBackRest's headings, which are generic elements", () => {
    const html =
      '<div class="section2"><a id="option-async"></a><div class="section2-header"><div class="section2-number">2.1</div>' +
      '<div class="section2-title">Async Option (<span class="id">--async</span>)</div></div><div class="section-body">x</div></div>';
    assert.deepEqual(outline(read(html)), [[3, '2.1 Async Option (--async)', 'option-async', 'x']]);
  });
});
