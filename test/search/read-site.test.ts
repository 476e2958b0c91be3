import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSite } from '../../src/application/search/read-site.js';
import { documentParsers } from '../../src/node/document-parsers.js';

const HTML = ['tea', 'milk', 'sugar', 'lemon'].map(
  (name) => `<h1>Kettle</h1><h2>${name}</h2>About ${name}.<h2>License</h2>MIT`,
);

describe('The pages of a site', () => {
  it('are equal inside and outside of its sample', async () => {
    const pages = HTML.map((html, number) => ({ path: `${number}.html`, bytes: Buffer.from(html) }));
    const site = {
      async *sample() {
        yield* pages.slice(0, 3);
      },
      async *pages() {
        yield* pages;
      },
    };
    const read: string[][] = [];
    for await (const { page } of readSite(site, documentParsers))
      read.push([page.title, ...page.sections.map(({ heading, text }) => `${heading}: ${text}`)]);
    assert.deepEqual(read, [
      // Text that all pages share is in the first one.
      ['tea', 'tea: About tea.', ': Kettle\n', ': License\nMIT'],
      ['milk', 'milk: About milk.'],
      ['sugar', 'sugar: About sugar.'],
      ['lemon', 'lemon: About lemon.'],
    ]);
  });
});
