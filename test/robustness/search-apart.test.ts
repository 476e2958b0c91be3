import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { searchIndexContract } from '../contracts/search-index.js';
import { siteOf } from '../support/searchable-site.js';

const directory = mkdtempSync(join(tmpdir(), 'lectern-search-'));
after(() => rmSync(directory, { recursive: true, force: true }));
let made = 0;

searchIndexContract('SqliteSearchIndex with a process that builds and a thread that searches', async () => {
  made += 1;
  const home = join(directory, String(made));
  return new SqliteSearchIndex({ fileOf: (revision) => join(home, revision, 'search.db'), isApart: true });
});

describe('SqliteSearchIndex, while many search at once,', () => {
  it('answers 32, and tells the others to come back', async () => {
    const index = new SqliteSearchIndex({
      fileOf: (revision) => join(directory, 'busy', revision, 'search.db'),
      isApart: true,
    });
    mkdirSync(join(directory, 'busy'));
    await index.build('r-1', siteOf({ 'index.html': '<title>Apples</title><p>apple</p>' }));
    const search = () => index.search('apple', [{ revision: 'r-1', project: 'p' }], { limit: 5 });
    const answers = await Promise.allSettled(Array.from({ length: 40 }, search));
    assert.deepEqual(
      answers.map((each) => (each.status === 'fulfilled' ? each.value.results.length : each.reason.code)),
      [...Array(32).fill(1), ...Array(8).fill('unavailable')],
    );
    assert.equal((await search()).results.length, 1);
    await index.close();
  });
});
