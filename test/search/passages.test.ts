import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type OpenedPage, SearchBudget } from '../../src/application/index.js';
import { parseQuery } from '../../src/application/search/query/parse-query.js';
import { rankPage } from '../../src/application/search/rank-page.js';
import { contentOf } from '../support/content-of.js';

const PAGE = {
  path: 'a.html',
  title: 'Things',
  kind: 'ordinary',
  language: undefined,
  place: 'body',
} as const;

describe('The passages of a page', () => {
  it('leave the first words of a section to it, however long the one before is', () => {
    const { words: typed } = parseQuery('widget ');
    const words = typed.map((word) => ({ ...word, pages: 1, weight: 1, isOfProject: false }));
    for (let length = 2_990; length < 3_030; length++) {
      const content = contentOf([
        { heading: 'Alpha', level: 2, anchor: 'alpha', text: 'x'.repeat(length) },
        { heading: 'Beta', level: 2, anchor: 'beta', text: 'Widget or gadget' },
      ]);
      const page: OpenedPage = { ...PAGE, hasAll: true, words, pieces: [], content, way: [] };
      const { section } = rankPage(page, ['en'], new SearchBudget(() => 0));
      assert.equal(section, 1, `after ${length} characters`);
    }
  });
});
