import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markdownOf, readPage } from '../../src/formats/html/index.js';

/** Markup as a tool wrote it, and the text of its panels. Each is in a page of its own. */
const OPENED: readonly (readonly [tool: string, html: string, texts: readonly string[]])[] = [
  [
    'Docusaurus 3.10, tabs',
    '<div class="theme-tabs-container tabs-container tabList__CuJ"><ul role="tablist" aria-orientation="horizontal" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item tabItem_LNqP tabs__item--active">npm</li><li role="tab" tabindex="-1" aria-selected="false" class="tabs__item tabItem_LNqP">Yarn</li></ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_Ymn6"><pre><code>npm install kettle</code></pre></div><div role="tabpanel" class="tabItem_Ymn6" hidden=""><pre><code>yarn add kettle</code></pre></div></div></div>',
    ['npm install kettle', 'yarn add kettle'],
  ],
  [
    'Starlight 0.42, tabs',
    '<starlight-tabs><div class="tablist-wrapper not-content"><ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#tab-panel-0" id="tab-0" aria-selected="true" tabindex="0">npm</a></li><li role="presentation" class="tab"><a role="tab" href="#tab-panel-1" id="tab-1" aria-selected="false" tabindex="-1">Yarn</a></li></ul></div><div id="tab-panel-0" aria-labelledby="tab-0" role="tabpanel"><pre>npm install kettle</pre></div><div id="tab-panel-1" aria-labelledby="tab-1" role="tabpanel" hidden><pre>yarn add kettle</pre></div></starlight-tabs>',
    ['npm install kettle', 'yarn add kettle'],
  ],
  [
    'sphinx-tabs 3.4',
    '<div class="sphinx-tabs docutils container"><div aria-label="Tabbed content" class="closeable" role="tablist"><button aria-controls="panel-0-0-0" aria-selected="true" class="sphinx-tabs-tab" id="tab-0-0-0" name="0-0" role="tab" tabindex="0">Apples</button><button aria-controls="panel-0-0-1" aria-selected="false" class="sphinx-tabs-tab" id="tab-0-0-1" name="0-1" role="tab" tabindex="-1">Pears</button></div><div aria-labelledby="tab-0-0-0" class="sphinx-tabs-panel" id="panel-0-0-0" name="0-0" role="tabpanel" tabindex="0"><p>Apples are green, or sometimes red.</p>\n</div><div aria-labelledby="tab-0-0-1" class="sphinx-tabs-panel" hidden="true" id="panel-0-0-1" name="0-1" role="tabpanel" tabindex="0"><p>Pears are green.</p>\n</div></div>',
    ['Apples are green', 'Pears are green'],
  ],
  [
    'sphinx-inline-tabs 2022.1',
    '<div class="tab-set docutils container">\n<input checked="True" class="tab-input" id="tab-set--1-input--1" name="tab-set--1" type="radio"><label class="tab-label" for="tab-set--1-input--1">One</label><div class="tab-content docutils container">\n<p>First words.</p>\n</div>\n<input class="tab-input" id="tab-set--1-input--2" name="tab-set--1" type="radio"><label class="tab-label" for="tab-set--1-input--2">Two</label><div class="tab-content docutils container">\n<p>Second words.</p>\n</div>\n</div>',
    ['First words.', 'Second words.'],
  ],
  [
    'Material for MkDocs 8.2, content tabs and details',
    '<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked="checked" id="__tabbed_1_1" name="__tabbed_1" type="radio" /><input id="__tabbed_1_2" name="__tabbed_1" type="radio" /><div class="tabbed-labels"><label for="__tabbed_1_1">Gas</label><label for="__tabbed_1_2">Mains</label></div>\n<div class="tabbed-content">\n<div class="tabbed-block">\n<p>Light the stove.</p>\n</div>\n<div class="tabbed-block">\n<p>Press the switch.</p>\n</div>\n</div>\n</div>\n<details class="note">\n<summary>More</summary>\n<p>Closed words.</p>\n</details>',
    ['Light the stove.', 'Press the switch.', 'Closed words.'],
  ],
  [
    'Doxygen 1.9, a section that is closed',
    '<div id="dynsection-0" onclick="return toggleVisibility(this)" class="dynheader closed" style="cursor:pointer;">\n  <img id="dynsection-0-trigger" src="closed.png" alt="+"/> Inheritance diagram for Kettle:</div>\n<div id="dynsection-0-summary" class="dynsummary" style="display:block;">\n</div>\n<div id="dynsection-0-content" class="dyncontent" style="display:none;">\n<p>Vessel, Kettle</p></div>',
    ['Vessel, Kettle'],
  ],
  [
    'Doxygen 1.9, a list of classes that is folded',
    '<table class="directory"><tr id="row_0_" class="even"><td class="entry"><span id="arr_0_" class="arrow" onclick="toggleFolder(\'0_\')">&#9658;</span><a class="el" href="namespaceTea.html">Tea</a></td><td class="desc">Drinks</td></tr><tr id="row_0_0_" style="display:none;"><td class="entry"><span id="arr_0_0_" class="arrow" onclick="toggleFolder(\'0_0_\')">&#9658;</span><b>pots</b></td><td class="desc">Vessels</td></tr><tr id="row_0_0_0_" style="display:none;"><td class="entry"><a class="el" href="structKettle.html">Kettle</a></td><td class="desc">Boils</td></tr></table>',
    ['Drinks', 'Vessels', 'Boils'],
  ],
  [
    'SQLite 3.40, a list that a button opens',
    "<script>function hideorshow(btn,obj){\nvar x = document.getElementById(obj);\nx.style.display = x.style.display!='none' ? 'none' : '';\n}</script><p><b>signed-number:</b>\n<button id='x2351' onclick='hideorshow(\"x2351\",\"x2352\")'>show</button></p>\n <div id='x2352' style='display:none;' class='imgcontainer'><ul><li>numeric-literal</ul></div>",
    ['numeric-literal'],
  ],
  [
    'SQLite 3.40, contents that a link opens',
    '<style>#toc_sub { display: none; }</style><a onclick="toggle_toc()">Table Of Contents</a>\n<div id="toc_sub"><div>Executive Summary</div></div><script>\nfunction toggle_toc(){\nvar sub = document.getElementById("toc_sub")\nsub.style.display = "block";\n}\n</script>',
    ['Executive Summary'],
  ],
  [
    'Bootstrap 5, tabs and collapsed text with styles in the page',
    '<style>.tab-content>.tab-pane{display:none}.collapse:not(.show){display:none}.hid{display:none}</style><ul class="nav nav-tabs" role="tablist"><li class="nav-item" role="presentation"><a data-bs-toggle="tab" href="#gas">Gas</a></li></ul><div class="tab-content"><div class="tab-pane hid" id="gas">Light the stove.</div></div><a data-bs-toggle="collapse" data-bs-target="#more">More</a><div class="collapse hid" id="more">Closed words.</div>',
    ['Light the stove.', 'Closed words.'],
  ],
  [
    'Radix 1, an accordion',
    '<div data-state="closed" data-orientation="vertical"><h3 data-state="closed"><button type="button" aria-controls="radix-:R1:" aria-expanded="false" data-state="closed">More</button></h3><div data-state="closed" id="radix-:R1:" hidden="" role="region" aria-labelledby="radix-:R0:">Closed words.</div></div>',
    ['Closed words.'],
  ],
  [
    'a page by hand, with a button before what it opens',
    '<style>.content { padding: 0 18px; display: none; overflow: hidden; }</style><button type="button" class="collapsible">Open</button>\n<div class="content"><p>Closed words.</p></div><script>\nvar coll = document.getElementsByClassName("collapsible");\ncoll[0].addEventListener("click", function() { this.nextElementSibling.style.display = "block"; });\n</script>',
    ['Closed words.'],
  ],
];

describe('Text that a control of the page opens is handed out:', () => {
  for (const [tool, html, texts] of OPENED) {
    it(`reads ${tool}`, () => {
      const bytes = Buffer.from(`<!doctype html><title>Kettle</title><main><h1>Kettle</h1>${html}</main>`);
      const { sections } = readPage(bytes, { path: 'page.html' });
      const all = sections.map(({ text }) => text).join('\n');
      const markdown = markdownOf(bytes).text;
      for (const text of texts) {
        assert.ok(all.includes(text), all);
        assert.ok(markdown.includes(text), markdown);
      }
    });
  }
});
