import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { buildDatabase } from '../../src/adapters/search/databases/build-database.js';
import { RevisionDatabase } from '../../src/adapters/search/databases/revision-database.js';
import { Searcher } from '../../src/adapters/search/finding/searcher.js';
import { readSite, SearchBudget, SHARE } from '../../src/application/search/index.js';
import { documentParsers } from '../../src/node/document-parsers.js';
import { siteOf } from '../support/searchable-site.js';

/** More than stay open. */
const REVISIONS = Array.from({ length: 300 }, (_, at) => `r${String(at).padStart(3, '0')}`);
const FOREVER = () => new SearchBudget(() => 0);

describe('A search in more revisions than stay open', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-search-'));
  const fileOf = (revision: string) => join(directory, `${revision}.db`);
  const live = REVISIONS.map((revision) => ({ revision, project: 'p', file: fileOf(revision) }));
  let searcher: Searcher;

  before(async () => {
    const site = siteOf({
      'index.html': '<title>Fruit</title><p>An apple and a mango.</p>',
      'kettle.html': '<title>The kettle</title><p>It whistles, unlike an apple.</p>',
    });
    await buildDatabase(fileOf('first'), readSite(site, documentParsers));
    for (const revision of REVISIONS) copyFileSync(fileOf('first'), fileOf(revision));
  });
  afterEach(() => searcher.close());
  after(() => rmSync(directory, { recursive: true, force: true }));

  /** Searches anew, within a budget, and counts how often a database was opened. */
  async function search(typed: string, budgetOf: () => SearchBudget, opens: { calls: readonly unknown[] }) {
    searcher = new Searcher();
    const answered = await searcher.search(typed, live, { limit: 50 }, budgetOf);
    return { ...answered, opened: opens.calls.length };
  }

  it('opens each revision once to find pages', async ({ mock }) => {
    const opens = mock.method(RevisionDatabase, 'open').mock;
    const { results, total, incomplete, opened } = await search('mango ', FOREVER, opens);
    assert.deepEqual([results.length, total, incomplete], [50, 200, undefined]);
    // Three times 20 pages were read for the results, of revisions that had been closed again.
    assert.ok(opened <= 300 + 3 * 20, String(opened));
  });

  for (const [typed, place] of [
    ['mango ', 'in the text'],
    ['kettle', 'in titles'],
    ['whistle unknown', 'that has only some of the words'],
  ] as const) {
    it(`returns the pages ${place} of the visited revisions when the time limit for finding is over`, async ({
      mock,
    }) => {
      let looks = 0;
      const stopped = () =>
        new SearchBudget(() => {
          looks += 1;
          return looks > 10 ? SHARE.firstVisits : 0;
        });
      const { results, incomplete, opened } = await search(
        typed,
        stopped,
        mock.method(RevisionDatabase, 'open').mock,
      );
      assert.deepEqual(
        [...new Set(results.map(({ revision }) => revision))].toSorted(),
        REVISIONS.slice(0, 10),
      );
      assert.deepEqual([opened, incomplete], [10, true]);
    });
  }

  it('returns pages found in the last moment, up to the requested number', async ({ mock }) => {
    let looks = 0;
    const stopped = () =>
      new SearchBudget(() => {
        looks += 1;
        return looks > 10 ? SHARE.finding : 0;
      });
    const opens = mock.method(RevisionDatabase, 'open').mock;
    const { results, incomplete } = await search('mango ', stopped, opens);
    assert.deepEqual([results.length, incomplete], [10, true]);
  });

  it('corrects a word even when only some revisions were searched', async ({ mock }) => {
    let looks = 0;
    const stopped = () =>
      new SearchBudget(() => {
        looks += 1;
        return looks > 20 && looks < 25 ? SHARE.firstVisits : 0;
      });
    const opens = mock.method(RevisionDatabase, 'open').mock;
    const { results, correctedTo, incomplete } = await search('kettel ', stopped, opens);
    assert.deepEqual([results.length, correctedTo, incomplete], [50, 'kettle', true]);
  });
});
