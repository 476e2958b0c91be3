import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SearchThreads } from '../../src/adapters/search/apart/search-threads.js';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { siteOf } from '../support/searchable-site.js';
import { until } from '../support/until.js';

const skip = process.platform !== 'linux' && 'open files can be listed on Linux only';

describe('Several search threads', () => {
  let home: string;
  const fileOf = (revision: string) => join(home, revision, 'search.db');
  // Writes in another process: this one would keep files open that it has written, until garbage is collected.
  const index = new SqliteSearchIndex({ fileOf, isApart: true });
  const build = (word: string) =>
    index.build('r-1', siteOf({ 'index.html': `<title>One</title><p>${word}</p>` }));
  const threads = new SearchThreads(2);
  before(async () => {
    home = join(await mkdtemp(join(tmpdir(), 'lectern-search-')), 'home');
    await mkdir(home);
  });
  after(async () => {
    await threads.close();
    await index.close();
    await rm(join(home, '..'), { recursive: true });
  });
  const search = async (query: string) => {
    const live = [{ revision: 'r-1', project: 'p', file: fileOf('r-1') }];
    return (await threads.search({ query, live, options: { limit: 5 } })).results.length;
  };
  /** Number of times that this process, all threads of it, has a database open, or those that begin alike. */
  const timesOpen = async (file = fileOf('r-1')) => {
    const numbers = await readdir('/proc/self/fd');
    const targets = await Promise.all(numbers.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return targets.filter((target) => target.startsWith(file)).length;
  };
  const inBoth = () =>
    until(async () => {
      await Promise.all(Array.from({ length: 8 }, () => search('apple')));
      return (await timesOpen()) === 2;
    });

  it('keep a library of 200 projects open, so that the next search opens nothing', {
    skip,
  }, async () => {
    const many = new SearchThreads(4);
    const live = Array.from({ length: 200 }, (_, at) => {
      const file = join(home, `many-${at}.db`);
      return { revision: `many-${at}`, project: `p${at}`, file };
    });
    await build('apple');
    for (const { file } of live) await copyFile(fileOf('r-1'), file);
    // On a busy machine, a search may be out of time before it has opened all.
    await until(async () => {
      await many.search({ query: 'apple', live, options: { limit: 5 } });
      return (await timesOpen(join(home, 'many-'))) === 200;
    });
    await many.close();
  });

  it('close a replaced or removed database even while idle', { skip }, async () => {
    await build('apple');
    await inBoth();
    threads.forget(fileOf('r-1'));
    await until(async () => (await timesOpen()) === 0);
  });

  it('find nothing of a revision replaced before they began', async () => {
    for (const [word, gone] of [
      ['pear', 'apple'],
      ['apple', 'pear'],
    ] as const) {
      await build(word);
      threads.forget(fileOf('r-1'));
      const found = await Promise.all([search(gone), search(word), search(gone), search(word)]);
      assert.deepEqual(found, [0, 1, 0, 1]);
    }
  });

  it('accept notices of files once closed', async () => {
    const closed = new SearchThreads(2);
    await closed.close();
    closed.forget(fileOf('r-1'));
    await assert.rejects(closed.search({ query: 'a', live: [], options: { limit: 1 } }), {
      code: 'unavailable',
    });
    await closed.close();
  });
});
