import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markdownOf, markdownTarget } from '../../src/formats/html/index.js';
import { read } from '../search/read.js';

const TEXT = `<p>${'The kettle boils water. '.repeat(10)}</p>`;
const markdown = (html: string) => markdownOf(Buffer.from(html), { linkTarget: markdownTarget }).text;
const plain = markdown(TEXT);

describe('Navigation that is left out', () => {
  const between = {
    'texinfo: neighbours with labels':
      '<div class="header"><p>Next: <a href="b.html">B</a>, Previous: <a href="a.html">A</a>, Up: <a href="i.html">Top</a> &nbsp; [<a href="toc.html">Contents</a>][<a href="x.html">Index</a>]</p></div>',
    'texi2html: a table of arrows':
      '<table><tr><td>[<a href="a.html"> &lt;&lt; </a>]</td><td>[<a href="b.html">Up</a>]</td><td>[<a href="t.html">Contents</a>]</td><td>[<a href="q.html"> ? </a>]</td></tr></table>',
    'valgrind: a table of class nav':
      '<table class="nav"><tr><td><a href="a.html"><img alt="Prev"></a></td><th>The manual</th></tr></table>',
    'DocBook of 2001: classes in upper case':
      '<DIV CLASS="NAVHEADER"><TABLE><TR><TH>Manual</TH></TR><TR><TD><A HREF="a.html">Prev</A></TD></TR></TABLE></DIV>',
    'a table that its summary names':
      '<table summary="Header navigation table"><tr><td>Manual</td></tr></table>',
    'lines outside of blocks':
      '<div>&laquo; <a href="a.html">Prev</a> | <a href="i.html">Contents</a> | <a href="b.html">Next</a> &raquo;</div>',
    'numbers of chapters':
      '<div>Goto Chapter: <a href="0.html">Top</a> <a href="1.html">1</a> <a href="2.html">2</a> <a href="3.html">3</a></div>',
    'links to report a bug': '<span>[<a href="https://example.org/issues/new">report issue</a>]</span>',
    'a list of languages':
      '<p><a href="de.html">Deutsch</a> <a href="fr.html">Français</a> <a href="ja.html">日本語</a></p>',
    'a title with links to parts of the page':
      '<p>Table of contents</p><ul><li><a href="#a">A thing</a></li><li><a href="#b">B thing</a></li></ul>',
    'the program that made it':
      '<p>This document was generated on <em>July</em> using <a href="http://t">texi2html</a>.</p>',
    'the time of the last change': '<p>Last modified 28 September 2021</p>',
  };
  for (const [name, html] of Object.entries(between)) {
    it(`includes ${name}`, () => {
      assert.equal(markdown(TEXT + html + TEXT), `${plain}\n\n${plain}`);
      assert.doesNotMatch(
        JSON.stringify(read(TEXT + html + TEXT).sections),
        /Prev|Next|Deutsch|report|generated|modified/,
      );
    });
  }

  it('includes site links at the beginning and at the end, not between', () => {
    const places = '<p><a href="index.html">Home</a> <a href="toc.html">Index</a></p>';
    assert.equal(
      markdown(`<h1>Tea</h1>${places}${TEXT}${places}<p>&copy; 2020 Kettle</p>`),
      `# Tea\n\n${plain}\n\n© 2020 Kettle`,
    );
    assert.match(markdown(TEXT + places + TEXT), /Home/);
  });

  it('includes page links at the beginning, not between', () => {
    const parts = '<ul><li><a href="#a">A thing</a></li><li><a href="#b">B thing</a></li></ul>';
    assert.equal(markdown(`<h1>Tea</h1>${parts}${TEXT}`), `# Tea\n\n${plain}`);
    assert.match(markdown(TEXT + parts + TEXT), /A thing/);
  });
});

describe('Links that are kept', () => {
  const lists = {
    'a list of chapters':
      '<ul><li><a href="a.html">Boiling</a></li><li><a href="b.html">Pouring</a></li></ul>',
    'functions with the names of directions':
      '<p><a href="#next">next</a>, <a href="it.html#previous">previous</a></p>',
    code: '<p><a href="api.html"><code>next</code></a></p>',
    'a sentence with such a link': '<p>Go back to the <a href="index.html">Index</a> of your kettle.</p>',
    operators: '<p><a href="op.html">operator &lt;&lt;</a></p>',
  };
  for (const [name, html] of Object.entries(lists)) {
    it(`include ${name}`, () => {
      assert.equal(markdown(TEXT + html + TEXT).split('\n\n').length, 3);
    });
  }

  it('include links below a heading at the end', () => {
    const html = `${TEXT}<h2>See also</h2><p><a href="a.html">Tea</a> | <a href="b.html">Cup</a> | <a href="c.html">Pot</a></p>`;
    assert.match(markdown(html), /\[Tea\]/);
  });

  it('include links of a page that has nothing else', () => {
    const html = '<h1>Manual</h1><p><a href="index.html">Home</a> | <a href="toc.html">Contents</a></p>';
    assert.equal(markdown(html), '# Manual\n\n[Home](index.html.md) | [Contents](toc.html.md)');
    assert.equal(read(html).sections[0]?.text, 'Home | Contents');
  });

  it('include links of a truncated page', () => {
    const { text, isCut } = markdownOf(Buffer.from(`<p>Kettle</p>${'<div>'.repeat(600)}`));
    assert.deepEqual({ text, isCut }, { text: 'Kettle', isCut: true });
  });
});

describe('A heading that is a link', () => {
  it('keeps the space between two of its parts', () => {
    const html = '<h2><a id="a"><span>4.33</span> <span>Global variables</span></a></h2>';
    assert.equal(markdown(html), '## 4.33 Global variables {#a}');
    assert.equal(read(html).sections[0]?.heading, '4.33 Global variables');
  });

  it('loses permalink signs', () => {
    assert.equal(markdown('<h2 id="a">Tea<a href="#a"> ¶</a><a href="#a"> </a></h2>'), '## Tea {#a}');
  });
});

describe('A table without a header row', () => {
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

  it('becomes a list when it has names and meanings', () => {
    const html = `<table>${row('boil', 'Boils.', '&nbsp;')}${row('<code>pour</code>', 'Pours.', '')}</table>`;
    assert.equal(markdown(html), '- **boil**: Boils.\n- `pour`: Pours.');
  });

  it('uses its first row as headings otherwise', () => {
    const html = `<table>${row('a', 'b', 'c')}${row('1', '2', '3')}</table>`;
    assert.equal(markdown(html), '| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |');
  });

  it('becomes a line when it has one row', () => {
    assert.equal(markdown(`<table>${row('Size( R )', '( attribute )')}</table>`), 'Size( R ) ( attribute )');
  });
});

describe('A summary of Javadoc', () => {
  it('has as many columns as its class says', () => {
    const cell = (kind: string, text: string) => `<div class="${kind}">${text}</div>`;
    const html =
      '<div class="summary-table two-column-summary">' +
      `${cell('table-header col-first', 'Constructor')}${cell('table-header col-last', 'Description')}` +
      `${cell('col-constructor-name', 'Kettle()')}${cell('col-last', 'A kettle.')}` +
      `${cell('col-constructor-name', 'Kettle(int)')}${cell('col-last', 'A full one.')}</div>`;
    assert.equal(
      markdown(html),
      '| Constructor | Description |\n| --- | --- |\n| Kettle() | A kettle. |\n| Kettle(int) | A full one. |',
    );
  });
});
