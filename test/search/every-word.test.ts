import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { ROOT } from '../support/root.js';
import { siteOf } from '../support/searchable-site.js';

/** Sites of builders by the tag that their main content begins with. Each has three pages with the same content, as shared text. */
const BUILDERS: readonly (readonly [builder: string, main: RegExp])[] = [
  ['sphinx', /<div class="body" role="main">/],
  ['mkdocs', /<div[^>]* role="main">/],
  ['material', /<article[^>]*>/],
  ['mdbook', /<main[^>]*>/],
  ['docusaurus', /<article[^>]*>/],
  ['vitepress', /<main[^>]*>/],
  ['javadoc', /<main[^>]*>/],
  ['rustdoc', /<section id="main-content"[^>]*>/],
];

/** Markup that is no content for readers: scripts, buttons, marks beside headings, links to sources and to other pages. */
const NO_CONTENT = [
  /<(script|style|nav|button|footer|svg|select|form)\b[\s\S]*?<\/\1>/g,
  /<a\b[^>]*class="[^"]*(?:headerlink|hash-link|header-anchor|anchor-link|src|source)[^"]*"[\s\S]*?<\/a>/g,
  /<span class="viewcode-link">[\s\S]*?<\/span><\/span>/g,
  // The language of a block of code, and what opens a description.
  /<span class="lang">[^<]*<\/span>/g,
  /<summary class="hideme">[\s\S]*?<\/summary>/g,
  /<!--[\s\S]*?-->/g,
];

/** The words of the element that begins with a tag. Tags divide words, so some of these are parts of identifiers. */
function wordsOfMain(html: string, main: RegExp): Set<string> {
  const { 0: tag = '', index = 0 } = main.exec(html) ?? assert.fail(`no ${main}`);
  const name = /\w+/.exec(tag)?.[0] ?? '';
  let depth = 0;
  let end = index;
  for (const each of html.slice(index).matchAll(new RegExp(`<(/?)${name}\\b`, 'g'))) {
    depth += each[1] === '' ? 1 : -1;
    end = index + each.index;
    if (depth === 0) break;
  }
  const content = NO_CONTENT.reduce((text, part) => text.replace(part, ' '), html.slice(index, end));
  const text = content.replace(/<[^>]*>/g, ' ').replace(/&#?\w+;/g, ' ');
  return new Set(text.match(/[\p{L}\p{N}_]{2,}/gu));
}

describe("A search for every word of a site's main content", () => {
  for (const [builder, main] of BUILDERS) {
    it(`finds the words of ${builder}`, async () => {
      const html = readFileSync(join(ROOT, 'test/search/pages', `${builder}.html`), 'utf8');
      const index = new MemorySearchIndex();
      await index.build(
        'site',
        siteOf(Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.html`, html]))),
      );
      const lost: string[] = [];
      const words = wordsOfMain(html, main);
      for (const word of words) {
        const live = [{ revision: 'site', project: 'project' }];
        // The space says that the word is finished.
        const { results, corrections, omittedTerms } = await index.search(`${word} `, live, { limit: 1 });
        if (results.length === 0 || corrections.length + omittedTerms.length > 0) lost.push(word);
      }
      assert.ok(words.size > 10, `${words.size} words`);
      assert.deepEqual(lost, []);
    });
  }
});
