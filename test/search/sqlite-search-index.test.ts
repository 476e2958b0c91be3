import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { searchIndexContract } from '../contracts/search-index.js';
import { siteOf } from '../support/searchable-site.js';

const directory = mkdtempSync(join(tmpdir(), 'lectern-search-'));
after(() => rmSync(directory, { recursive: true, force: true }));
let made = 0;

searchIndexContract('SqliteSearchIndex in one thread', async () => {
  made += 1;
  const home = join(directory, String(made));
  return new SqliteSearchIndex({ fileOf: (revision) => join(home, revision, 'search.db') });
});

it('removes leftovers of killed builds, of any revision, and nothing else', async () => {
  const home = join(directory, 'killed');
  for (const revision of ['gone', 'r']) {
    mkdirSync(join(home, revision), { recursive: true });
    writeFileSync(join(home, revision, 'search.db.17-1.part'), 'half a database');
    writeFileSync(join(home, revision, 'other.json'), '{}');
  }
  writeFileSync(join(home, 'search.db.17-1.part'), 'not of a revision');
  const index = new SqliteSearchIndex({ fileOf: (revision) => join(home, revision, 'search.db') });
  await index.build('r', siteOf({ 'index.html': '<p>apple</p>' }));
  assert.deepEqual(readdirSync(home, { recursive: true }).toSorted(), [
    'gone',
    'gone/other.json',
    'r',
    'r/other.json',
    'r/search.db',
    'search.db.17-1.part',
  ]);
  await index.close();
});
