import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Piscina } from 'piscina';
import { SearchThreads } from '../../src/adapters/search/apart/search-threads.js';
import { MAX_BUILDERS, SqliteSearchIndex } from '../../src/adapters/search/index.js';
import type { SearchAnswer, Waiter } from '../../src/application/index.js';
import { searchIndexContract } from '../contracts/search-index.js';
import { siteOf } from '../support/searchable-site.js';
import { until } from '../support/until.js';

const directory = mkdtempSync(join(tmpdir(), 'lectern-search-'));
after(() => rmSync(directory, { recursive: true, force: true }));
let made = 0;

// All tests share an index, as a server does: each one starts a process and threads. Each test has its own databases.
const index = new SqliteSearchIndex({
  fileOf: (revision) => join(directory, String(made), revision, 'search.db'),
  isApart: true,
});
searchIndexContract('SqliteSearchIndex with processes that build and threads that search', async () => {
  made += 1;
  return index;
});

describe('SqliteSearchIndex, under many concurrent searches,', () => {
  let index: SqliteSearchIndex;
  const fileOf = (revision: string) => join(directory, 'busy', revision, 'search.db');
  const task = {
    query: 'apple',
    live: [{ revision: 'r-1', project: 'p', file: fileOf('r-1') }],
    options: { limit: 5 },
  };
  before(async () => {
    index = new SqliteSearchIndex({ fileOf, isApart: true });
    mkdirSync(join(directory, 'busy'));
    await index.build('r-1', siteOf({ 'index.html': '<title>Apples</title><p>apple</p>' }));
  });
  after(() => index.close());
  let asked = 0;
  /** Asks what nobody has asked before: the same question is answered once. */
  const search = (waiter: Waiter = {}) =>
    index.search(
      'apple'.padEnd(6 + (asked++ % 190)),
      [{ revision: 'r-1', project: 'p' }],
      { limit: 5 },
      waiter,
    );
  const found = (answers: readonly PromiseSettledResult<SearchAnswer>[]) =>
    answers.map((each) => (each.status === 'fulfilled' ? each.value.results.length : each.reason.code));

  it('runs 32, and tells the rest to retry', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => search()));
    assert.deepEqual(found(answers), [...Array(32).fill(1), ...Array(8).fill('unavailable')]);
    assert.equal((await search()).results.length, 1);
  });

  it('lets addresses take turns', async (context) => {
    // A single thread: of two, one could finish all others while the other is held up with a search of b.
    const threads = new SearchThreads(1);
    context.after(() => threads.close());
    const order: string[] = [];
    const from = (address: string) =>
      threads.search(task, { address }).then(({ results }) => order.push(...results.map(() => address)));
    await Promise.all([...Array.from({ length: 20 }, () => from('a')), from('b'), from('b')]);
    // The searches of b come after the ones that had begun, and take turns with the others.
    assert.ok(order.lastIndexOf('b') < 12, order.join(' '));
    assert.equal(order.length, 22);
  });

  it('passes the slots of clients that left to waiting ones', async () => {
    const gone = new AbortController();
    setMaxListeners(31, gone.signal);
    const left = Array.from({ length: 31 }, () => search({ signal: gone.signal }));
    const stays = search();
    assert.deepEqual(found(await Promise.allSettled([search()])), ['unavailable']);
    gone.abort();
    const later = search();
    const reasons = await Promise.allSettled(left);
    assert.ok(reasons.every((each) => each.status === 'rejected' && each.reason === gone.signal.reason));
    for (const answer of await Promise.all([stays, later])) {
      assert.deepEqual([answer.results.length, answer.incomplete], [1, undefined]);
    }
  });

  it('stops a running search when its client leaves', async ({ mock }) => {
    const runs = mock.method(Piscina.prototype, 'run').mock;
    const fresh = new SqliteSearchIndex({
      fileOf: (revision) => join(directory, 'busy', revision, 'search.db'),
      isApart: true,
    });
    const live = [{ revision: 'r-1', project: 'p' }];
    const gone = new AbortController();
    const left = fresh.search('apple', live, { limit: 5 }, { signal: gone.signal });
    // The thread has the search by then, and begins with it once it has started.
    await until(() => runs.callCount() === 1);
    gone.abort();
    await assert.rejects(left, (reason) => reason === gone.signal.reason);
    assert.equal((await fresh.search('apple', live, { limit: 5 })).results.length, 1);
    const answers = await Promise.all(runs.calls.map(({ result }) => result));
    assert.deepEqual(
      answers.map(({ result: { results, incomplete } }) => [results.length, incomplete]),
      [
        [0, true],
        [1, undefined],
      ],
    );
    await fresh.close();
  });

  it('repeats no search that killed its thread, and runs all that had not begun', async () => {
    // More than the heap of the thread holds.
    const languages = Array<string>(200_000).fill('x'.repeat(1_000));
    const live = [{ revision: 'r-1', project: 'p' }];
    const deadly = index.search('apple', live, { limit: 5, languages });
    const answers = await Promise.allSettled([deadly, ...Array.from({ length: 5 }, () => search())]);
    assert.deepEqual(found(answers), ['unavailable', 1, 1, 1, 1, 1]);
  });
});

describe('The processes that build indexes', () => {
  it('write a database while another database waits for its pages', {
    skip: MAX_BUILDERS === 1 && 'there is one core',
  }, async () => {
    mkdirSync(join(directory, 'two'));
    const fileOf = (revision: string) => join(directory, 'two', revision, 'search.db');
    const index = new SqliteSearchIndex({ fileOf, isApart: true });
    const { sample, pages } = siteOf({ 'index.html': '<title>Apples</title><p>apple</p>' });
    let isBuilt = () => {};
    const other = new Promise<void>((resolve) => {
      isBuilt = resolve;
    });
    const waiting = index.build('r-1', {
      sample,
      async *pages() {
        await other;
        yield* pages();
      },
    });
    assert.deepEqual(await index.build('r-2', { sample, pages }), { pages: 1, cut: 0 });
    isBuilt();
    assert.deepEqual(await waiting, { pages: 1, cut: 0 });
    await index.close();
  });

  /** Pages of Chinese characters without spaces. They look random, and are the same each time. */
  const unspaced = (pages: number) => {
    let state = 7;
    const next = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return 0x4e00 + ((state >>> 8) % 20_900);
    };
    const page = () => Array.from({ length: 399_000 }, () => String.fromCharCode(next())).join('');
    return Object.fromEntries(
      Array.from({ length: pages }, (_, at) => [`p${at}.html`, `<title>Page ${at}</title><p>${page()}`]),
    );
  };

  it('have enough memory for long pages without spaces, with mostly unique pairs', async () => {
    mkdirSync(join(directory, 'unspaced'));
    const fileOf = (revision: string) => join(directory, 'unspaced', revision, 'search.db');
    const index = new SqliteSearchIndex({ fileOf, isApart: true });
    const files = unspaced(10);
    assert.deepEqual(await index.build('r-1', siteOf(files)), { pages: 10, cut: 10 });
    const somewhere = files['p7.html']?.slice(100_000, 100_004) ?? '';
    for (const query of [somewhere, `"${somewhere}"`]) {
      const { results } = await index.search(query, [{ revision: 'r-1', project: 'p' }], { limit: 1 });
      assert.deepEqual(
        results.map(({ path }) => path),
        ['p7.html'],
      );
    }
    await index.close();
  });
});
