import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { read, wordsOf } from './read.js';

const CONTENT = '<p>content</p>';

/** Pages whose only content is the word `content`. */
const PAGES: readonly (readonly [what: string, html: string])[] = [
  ['<main>, and nothing around it', `<p>around</p><main>${CONTENT}</main><p>around</p>`],
  ['the element with role=main alone', `<div>around</div><div role="main">${CONTENT}</div>around`],
  ['<main> inside a form that is the whole page', `<form>around<main>${CONTENT}</main></form>`],
  ['the body of a page without a main part', `<body>${CONTENT}</body>`],
  ['the body where <main> stands only in a comment', `<!-- <main> --><body>${CONTENT}</body>`],
  ['the body where <main> is empty', `<body>${CONTENT}<main></main></body>`],
  ['the body that a script shows', `<body hidden class="footer">${CONTENT}</body>`],
  ['no navigation', `<nav>Next</nav>${CONTENT}<div role="navigation">Up</div>`],
  [
    'no form and no button',
    `<form>Search<input></form>${CONTENT}<button>Copy</button><select><option>1</select>`,
  ],
  [
    'no script, style or template',
    `<script>"<p>x"</script><style>p{}</style><template>x</template>${CONTENT}`,
  ],
  ['nothing for readers without scripts', `<noscript><p>Turn it on</p></noscript>${CONTENT}`],
  ['nothing hidden', `<p hidden>x</p><p aria-hidden="true">x</p>${CONTENT}`],
  [
    'no header, aside or footer of the page',
    `<header>x</header><aside>x</aside>${CONTENT}<footer>x</footer>`,
  ],
  ['no title', `<title>Title</title>${CONTENT}`],
  ['no text of pictures', `<svg><title>x</title><text>x</text></svg>${CONTENT}`],
  ['nothing by a class of a builder', `<div class="a sphinxsidebar b">x</div>${CONTENT}`],
  ['nothing by an id of a builder', `<div id="nav-path">x</div>${CONTENT}`],
  [
    'nothing by a class below a certain element',
    `<div class="header"><div class="summary">x</div></div>${CONTENT}`,
  ],
];

describe('The content of a page', () => {
  for (const [what, html] of PAGES) {
    it(`is ${what}`, () => assert.equal(wordsOf(read(html)).trim(), 'content'));
  }

  it('includes the header and the asides of its articles', () => {
    const html =
      '<article><header><h1>A</h1></header><aside>b</aside></article><main><header>c</header></main>';
    assert.equal(wordsOf(read(html)).trim(), 'c');
    assert.equal(wordsOf(read(html.replace(/<main>.*/, ''))).trim(), 'A\nb');
  });

  it('includes a class that one builder uses for content and another for navigation', () => {
    assert.match(wordsOf(read('<div class="summary">Method Summary</div>')), /Method Summary/);
    assert.match(wordsOf(read('<main><aside class="sidebar">Descaling</aside></main>')), /Descaling/);
  });

  it('includes text that a browser reveals in a closed part when found', () => {
    assert.match(wordsOf(read('<p hidden="until-found">found</p>')), /found/);
    assert.match(wordsOf(read('<details><summary>More</summary>found</details>')), /More\nfound/);
  });

  it('continues after an unclosed element', () => {
    assert.match(wordsOf(read('<div><nav><ul><li>x</nav>content')), /^\s*content$/);
  });
});
