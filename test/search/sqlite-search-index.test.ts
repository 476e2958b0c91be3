import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { searchIndexContract } from '../contracts/search-index.js';

const directory = mkdtempSync(join(tmpdir(), 'lectern-search-'));
after(() => rmSync(directory, { recursive: true, force: true }));
let made = 0;

searchIndexContract('SqliteSearchIndex in one thread', async () => {
  made += 1;
  const home = join(directory, String(made));
  return new SqliteSearchIndex({ fileOf: (revision) => join(home, revision, 'search.db') });
});
