import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { markdownOf, readPage } from '../../src/formats/html/index.js';
import { ROOT } from '../support/root.js';

const KETTLE = ['Light the stove.', 'Press the switch.', 'Closed words.'];

/** Files in `opened`, and the texts of their panels. */
const FILES: readonly (readonly [tool: string, file: string, texts: readonly string[]])[] = [
  ['Docusaurus', 'docusaurus.html', KETTLE],
  ['Starlight', 'starlight.html', ['Light the stove.', 'Press the switch.']],
  ['VitePress', 'vitepress.html', ['npm install kettle', 'yarn add kettle', 'Closed words.']],
  ['sphinx-design', 'sphinx-design.html', KETTLE],
  ['sphinx-tabs', 'sphinx-tabs.html', ['Apples are green', 'Pears are green']],
  ['sphinx-inline-tabs', 'sphinx-inline-tabs.html', ['First words.', 'Second words.']],
  ['Material for MkDocs', 'material.html', KETTLE],
  ['React-Bootstrap, with styles in the page', 'react-bootstrap.html', KETTLE],
  ['Radix', 'radix.html', KETTLE],
  ['Base UI', 'base-ui.html', KETTLE],
  ['Headless UI', 'headless-ui.html', KETTLE],
  [
    'Doxygen, a list of classes that is folded',
    'doxygen.html',
    ['Drinks', 'Vessels', 'Boils', 'Holds water'],
  ],
  ['SQLite, a diagram that a button opens', 'sqlite.html', ['type-name:', 'signed-number:']],
  ['Javadoc, methods in tabs', 'javadoc.html', ['Heats water until it boils.']],
  ['rustdoc, closed details', 'rustdoc.html', ['impl<T> Any for T', 'type_id']],
];

/** Markup by hand. */
const BY_HAND: readonly (readonly [what: string, html: string, texts: readonly string[]])[] = [
  [
    'a button before the opened element',
    '<style>.content { padding: 0 18px; display: none; overflow: hidden; }</style><button type="button" class="collapsible">Open</button>\n<div class="content"><p>Closed words.</p></div><script>\nvar coll = document.getElementsByClassName("collapsible");\ncoll[0].addEventListener("click", function() { this.nextElementSibling.style.display = "block"; });\n</script>',
    ['Closed words.'],
  ],
  [
    'a table of contents named by a script',
    '<style>#toc_sub { display: none; }</style><a onclick="toggle_toc()">Table Of Contents</a>\n<div id="toc_sub"><div>Executive Summary</div></div><script>\nfunction toggle_toc(){\nvar sub = document.getElementById("toc_sub")\nsub.style.display = "block";\n}\n</script>',
    ['Executive Summary'],
  ],
  [
    'a header passed to a script, with numbers in ids',
    '<div id="dynsection-0" onclick="return toggleVisibility(this)" class="dynheader closed" style="cursor:pointer;">More</div>\n<div id="dynsection-0-summary" class="dynsummary" style="display:block;">\n</div>\n<div id="dynsection-0-content" class="dyncontent" style="display:none;">\n<p>Closed words.</p></div>',
    ['Closed words.'],
  ],
  [
    'links that name the opened element',
    '<style>.hid{display:none}</style><a data-bs-toggle="tab" href="#gas">Gas</a><div class="tab-pane hid" id="gas">Light the stove.</div><a data-bs-toggle="collapse" data-bs-target="#more">More</a><div class="collapse hid" id="more">Closed words.</div>',
    ['Light the stove.', 'Closed words.'],
  ],
  [
    'a button in a heading that names the opened element',
    '<h3><button type="button" aria-controls="more" aria-expanded="false">More</button></h3><div id="more" hidden>Closed words.</div>',
    ['Closed words.'],
  ],
];

function keeps(html: string, texts: readonly string[]): void {
  const bytes = Buffer.from(`<!doctype html><title>Kettle</title><main><h1>Kettle</h1>${html}</main>`);
  const { sections } = readPage(bytes, { path: 'page.html' });
  const all = sections.map(({ heading, text }) => `${heading}\n${text}`).join('\n');
  const markdown = markdownOf(bytes).text.replaceAll('\\', '');
  for (const text of texts) {
    assert.ok(all.includes(text), all);
    assert.ok(markdown.includes(text), markdown);
  }
}

describe('Text opened by a control of the page', () => {
  for (const [tool, file, texts] of FILES) {
    it(`includes ${tool}`, () => keeps(readFileSync(join(ROOT, 'test/formats/opened', file), 'utf8'), texts));
  }

  for (const [what, html, texts] of BY_HAND) {
    it(`includes a hand-written control: ${what}`, () => keeps(html, texts));
  }
});
