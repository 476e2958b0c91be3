import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { UsageStore } from '../../src/application/index.js';
import {
  type Day,
  mergedUsage,
  type ProjectUsage,
  type UnfoundDay,
  UsageTallies,
} from '../../src/domain/index.js';
import { makeVersion } from '../domain/make-version.js';

const DAY = '2026-11-23';
const ALL = { from: '2000-01-01', to: '2100-01-01' };

/** Counts as `UsageTallies` makes them: a read of each page, and a miss of each missing one. */
export function usageWith(
  pages: readonly string[],
  missing: readonly string[] = [],
  label = '1.0',
  byAgents: readonly string[] = [],
): ProjectUsage {
  const tallies = new UsageTallies(1);
  const now = new Date(`${DAY}T12:00:00Z`);
  for (const page of pages) tallies.count('reads', makeVersion('a', label), page, now);
  for (const page of byAgents) tallies.count('agents', makeVersion('a', label), page, now);
  for (const page of missing) tallies.count('misses', makeVersion('a', label), page, now);
  return tallies.all()[0]?.usage ?? new Map();
}

/** The promises of the port `UsageStore`, sentence by sentence. */
export function usageStoreContract(name: string, make: () => Promise<UsageStore>): void {
  describe(`${name} keeps the promises of a UsageStore`, () => {
    let store: UsageStore;
    beforeEach(async () => {
      store = await make();
    });
    const write = (usage: ProjectUsage, key: { project?: string; day?: string; writer?: string } = {}) =>
      store.write({ project: 'a', day: DAY, writer: 'one', ...key }, usage);
    const days = async (project = 'a', range = ALL) => {
      const found: [string, number][] = [];
      for await (const { day, usages } of store.read(project, range)) found.push([day, usages.length]);
      return found;
    };
    const readBack = async (project = 'a') => {
      for await (const { usages } of store.read(project, ALL)) return mergedUsage(usages);
      return new Map();
    };

    it('has no counts of an unread project', async () => {
      assert.deepEqual(await days(), []);
    });

    it('returns written counts, for every possible path of a site', async () => {
      const paths = [
        'index.html',
        '__proto__',
        'constructor',
        'ünï/cödé.html',
        'a b"c,d.html',
        'x'.repeat(1_000),
      ];
      const usage = usageWith([...paths, 'index.html'], ['old/', '-=+@', 'l\u2028s'], '1.0', ['index.html']);
      await write(usage);
      assert.deepEqual(await readBack(), usage);
      assert.equal((await readBack()).get('1.0')?.reads.paths.get('__proto__'), 1);
    });

    it('replaces the counts of the same writer, and no others', async () => {
      await write(usageWith(['index.html']));
      await write(usageWith(['other.html']), { writer: 'two' });
      await write(usageWith(['index.html']), { project: 'a-b' });
      await write(usageWith(['index.html']), { day: '2026-11-22' });
      await write(usageWith(['index.html', 'index.html']));
      assert.deepEqual(await days(), [
        ['2026-11-22', 1],
        [DAY, 2],
      ]);
      assert.deepEqual(await days('a-b'), [[DAY, 1]]);
      let reads = 0;
      for await (const { usages } of store.read('a', { from: DAY, to: DAY })) {
        reads += mergedUsage(usages).get('1.0')?.reads.total ?? 0;
      }
      assert.equal(reads, 3);
    });

    it('keeps counts as written, whatever is counted later', async () => {
      const tallies = new UsageTallies(1);
      const now = new Date(`${DAY}T12:00:00Z`);
      tallies.count('reads', makeVersion('a', '1.0'), 'index.html', now);
      await write(tallies.all()[0]?.usage ?? new Map());
      tallies.count('reads', makeVersion('a', '1.0'), 'index.html', now);
      assert.equal((await readBack()).get('1.0')?.reads.total, 1);
    });

    it('returns the days of the range, in order, both ends included', async () => {
      for (const day of ['2026-03-01', '2025-12-31', '2026-01-01', '2026-02-28']) {
        await write(usageWith(['index.html']), { day });
      }
      assert.deepEqual(await days('a', { from: '2026-01-01', to: '2026-02-28' }), [
        ['2026-01-01', 1],
        ['2026-02-28', 1],
      ]);
      assert.equal((await days()).length, 4);
      assert.equal((await days())[0]?.[0], '2025-12-31');
    });

    it('removes the counts of all projects before a day, and no others', async () => {
      for (const project of ['a', 'b']) {
        for (const day of ['2025-10-18', '2025-10-19'])
          await write(usageWith(['index.html']), { project, day });
      }
      await write(usageWith(['index.html']), { project: 'old', day: '2020-01-01' });
      await store.removeBefore('2025-10-19');
      assert.deepEqual(await days('a'), [['2025-10-19', 1]]);
      assert.deepEqual(await days('b'), [['2025-10-19', 1]]);
      assert.deepEqual(await days('old'), []);
      await write(usageWith(['index.html']), { project: 'old' });
      assert.deepEqual(await days('old'), [[DAY, 1]]);
    });

    const searchesOf = (day: Day, query: string): UnfoundDay => ({
      day,
      searches: [
        { query, by: 'people', clients: 5 },
        { query: '-=+@ __proto__', by: 'agents', clients: 7 },
      ],
    });

    it('returns searches as written, of each writer and day of the range, and of no project', async () => {
      assert.deepEqual(await store.readSearches(ALL), []);
      await store.writeSearches('one', searchesOf('2026-01-01', 'earlier'));
      await store.writeSearches('one', searchesOf(DAY, 'first'));
      await store.writeSearches('one', searchesOf(DAY, 'ü\u2028x'));
      await store.writeSearches('two', searchesOf(DAY, 'other'));
      await write(usageWith(['index.html']));
      const read = await store.readSearches({ from: '2026-01-02', to: DAY });
      const byQuery = read.toSorted((a, b) =>
        (a.searches[0]?.query ?? '') < (b.searches[0]?.query ?? '') ? -1 : 1,
      );
      assert.deepEqual(byQuery, [searchesOf(DAY, 'other'), searchesOf(DAY, 'ü\u2028x')]);
      assert.deepEqual(await days(), [[DAY, 1]]);
    });

    it('removes searches before a day, and no others', async () => {
      await store.writeSearches('one', searchesOf('2025-10-18', 'old'));
      await store.writeSearches('one', searchesOf('2025-10-19', 'new'));
      await store.removeBefore('2025-10-19');
      assert.deepEqual(await store.readSearches(ALL), [searchesOf('2025-10-19', 'new')]);
    });

    it('accepts concurrent writes of several writers', async () => {
      const writers = Array.from({ length: 20 }, (_, index) => `writer-${index}`);
      await Promise.all(writers.map((writer) => write(usageWith(['index.html']), { writer })));
      assert.deepEqual(await days(), [[DAY, 20]]);
    });
  });
}
