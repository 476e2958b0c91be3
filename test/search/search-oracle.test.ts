import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { siteOf } from '../support/searchable-site.js';

const WORDS = (
  'json json_agg jsonify ArrayList array list lists Map HashMap c++ operator<< --no-ff no ff caching cached cache ' +
  'über uber 管理 管理者 パッケージ row level security x __init__ std::vector 3.11'
).split(' ');
const words = (max: number) => fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: max });
const escaped = (text: string) => text.replace(/</g, '&lt;');
const pageOf = ([title, heading, ...text]: string[]) =>
  `<title>${escaped(title ?? '')}</title><h2 id="a">${escaped(heading ?? '')}</h2><p>${escaped(text.join(' '))}</p>`;

describe('The SQLite index, compared with a full scan,', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-search-'));
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('finds the same pages, in the same order, for any pages and queries', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(words(12), { minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(words(4), fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 4 }),
        async (pages, queries) => {
          run += 1;
          const sqlite = new SqliteSearchIndex({
            fileOf: (revision) => join(directory, `${run}-${revision}`, 'search.db'),
          });
          const naive = new MemorySearchIndex();
          const site = siteOf(Object.fromEntries(pages.map((each, at) => [`p${at}.html`, pageOf(each)])));
          for (const index of [sqlite, naive]) await index.build('r', site);
          for (const [typed, isPhrase, isFinished] of queries) {
            const query = (isPhrase ? `"${typed.join(' ')}"` : typed.join(' ')) + (isFinished ? ' ' : '');
            const ask = async (index: typeof naive | typeof sqlite) => {
              const answer = await index.search(query, [{ revision: 'r', project: 'p' }], { limit: 50 });
              return { ...answer, results: answer.results.map(({ score, ...rest }) => rest) };
            };
            assert.deepEqual(await ask(sqlite), await ask(naive), query);
          }
          await sqlite.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
