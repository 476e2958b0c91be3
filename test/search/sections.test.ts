import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outline, read } from './read.js';

/** Anchors of the first heading, by where the id stands. */
const ANCHORS: readonly (readonly [where: string, html: string, anchor: string | undefined])[] = [
  ['on the heading', '<section id="no"><h2 id="yes">A</h2></section>', 'yes'],
  ['in the heading', '<section id="no"><h2><a name="yes"></a>A</h2></section>', 'yes'],
  ['right before it', '<section id="no"><a id="yes"></a> <h2>A</h2></section>', 'yes'],
  ['around it', '<section id="yes"><div><h2>A</h2></div></section>', 'yes'],
  ['four levels up', '<div id="yes"><div><div><div><h2>A</h2></div></div></div></div>', 'yes'],
  [
    'around it, not before it at some distance',
    '<div id="yes"><a id="no"></a><p><b></b></p><h2>A</h2></div>',
    'yes',
  ],
  ['before it, in another element', '<a name="yes"></a><ul><li><h4>A</h4></li></ul>', 'yes'],
  ['five levels up', '<div id="no"><div><div><div><div><h2>A</h2></div></div></div></div></div>', undefined],
  ['before other text', '<a id="no"></a>text<p></p><h2>A</h2>', undefined],
  ['right before it, after a heading without text', '<h2></h2><a id="yes"></a><h2>A</h2>', 'yes'],
  ['nowhere', '<h2>A</h2>', undefined],
  ['with white space', '<h2 id="no no">A</h2>', undefined],
];

describe('The sections of a page', () => {
  it('begin at headings, and contain the text up to the next', () => {
    assert.deepEqual(outline(read('before<h1 id=a>A</h1>one<h3 id=b>B</h3><p>two</p><h2>C</h2>')), [
      [0, '', undefined, 'before'],
      [1, 'A', 'a', 'one'],
      [3, 'B', 'b', 'two'],
      [2, 'C', undefined, ''],
    ]);
  });

  it('begin at terms with an id, and not at other terms', () => {
    assert.deepEqual(outline(read('<dl><dt id=t>term<dd>what<dt>other<dd>text</dl>')), [
      [7, 'term', 't', 'what\nother\ntext'],
    ]);
  });

  for (const [where, html, anchor] of ANCHORS) {
    it(`have as anchor an id ${where}${anchor === undefined ? ': none' : ''}`, () => {
      const [first] = read(html).sections.filter(({ heading }) => heading === 'A');
      assert.ok(first);
      assert.equal(first.anchor, anchor);
    });
  }

  it('use the enclosing id once: the second heading of an element has none', () => {
    const html = '<section id=s><h2>A</h2><h2>B</h2></section>';
    assert.deepEqual(outline(read(html)), [
      [2, 'A', 's', ''],
      [2, 'B', undefined, ''],
    ]);
  });

  it('have no heading made of permalink signs', () => {
    const html = '<h2 id=a>C# <a href="#a">¶</a><a href="#a">#</a></h2>';
    assert.equal(read(html).sections[0]?.heading, 'C#');
  });

  it('ignore headings without text', () => {
    assert.deepEqual(outline(read('<h1>A</h1>one<h2><img></h2>two')), [[1, 'A', undefined, 'one\ntwo']]);
  });

  it('have text with single spaces, and a line for each block and line of code', () => {
    const html =
      ' <p> a\n <b>b</b>c </p><ul><li>d<li>e</ul>f<br>g<table><tr><td>h<td>i</table><pre>j  k\n  l</pre>';
    assert.equal(read(html).sections[0]?.text, 'a bc\nd\ne\nf\ng\nh i\nj k\vl');
  });

  it('have lines of code apart from blocks, whatever separates them', () => {
    const html =
      '<p>a</p><pre>\n<code>b\n\nc\n</code></pre><p>d</p><pre><div>e<br></div><div>f</div></pre>g\vh';
    assert.equal(read(html).sections[0]?.text, 'a\nb\vc\nd\ne\vf\ng h');
  });

  it('have words without soft hyphens and control characters', () => {
    const html = 'wa\u00adter ar&#8203;ray a&nbsp;b a\u0000b a&#7;b na<wbr>me';
    assert.equal(read(html).sections[0]?.text, 'water array a b a b a b name');
  });

  it('have entities and broken markup decoded like in a browser', () => {
    assert.equal(
      read('a &lt;b&gt; &amp;amp; 1 < 2 AT&T &bogus; &#x1F600;').sections[0]?.text,
      'a <b> &amp; 1 < 2 AT&T &bogus; 😀',
    );
    assert.equal(read('end</b').sections[0]?.text, 'end');
    assert.equal(read('end<a href="x" /').sections[0]?.text, 'end');
    assert.equal(read('end &am').sections[0]?.text, 'end &am');
  });

  it('have headings of at most 500 characters, and the rest as text', () => {
    const [section] = read(`<h1>${'word '.repeat(300)}`).sections;
    assert.equal(section?.heading.length, 500);
    assert.equal(`${section?.heading} ${section?.text}`.replaceAll(/\s+/g, ' ').length, 5 * 300 - 1);
  });
});
