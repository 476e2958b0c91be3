import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ListProjects,
  ProjectTable,
  type TableModel,
  type TableOrder,
  tableOrder,
} from '../../src/application/index.js';
import { ANYBODY, Catalogue, SearchTerm } from '../../src/domain/index.js';
import { makeVersion } from '../domain/make-version.js';

const DISK_USE = { versions: 70, previews: 20, removed: 10 };
const ALL = { search: SearchTerm.none, filter: {} };
const WARNING = { code: 'no_index', message: 'm', fix: 'f' } as const;

describe('The table of projects', () => {
  const day = (date: number) => new Date(Date.UTC(2026, 0, date));
  const catalogue = Catalogue.empty.changed({
    come: [
      makeVersion('a', '1.0', { publishedAt: day(3), token: 'first', warnings: [WARNING] }),
      makeVersion('a', '2.0', { publishedAt: day(2), token: 'second', warnings: [WARNING, WARNING] }),
      makeVersion('b', '1.0', { publishedAt: day(9), docinfo: { owner: 'Ann', group: 'Tools' } }),
      makeVersion('c10', '1.0', { publishedAt: day(1), docinfo: { owner: 'bob' } }),
      makeVersion('c9', '1.0', { publishedAt: day(1) }),
    ],
  });
  const seen = catalogue.seenBy(ANYBODY, day(10));
  const deadLinks: Record<string, number> = { a: 0, b: 12 };
  const links = {
    ofLatest: async ({ directoryName }: { directoryName: string }) => deadLinks[directoryName],
  };
  const reads = {
    ready: async () => {},
    countsOf: (project: string) => (project === 'b' ? { reads: 5, agents: 2, missing: 1 } : undefined),
  };
  const table = new ProjectTable(new ListProjects(), async () => DISK_USE, links, reads);
  const namesBy = async (order: TableOrder, facts: Pick<TableModel, 'search' | 'filter'> = ALL) =>
    (await table.execute(seen, facts, order)).map(({ project }) => project.directoryName);

  it('has versions, size, last publication with its token, counts, dead links and warnings of each project', async () => {
    const [a, b] = await table.execute(seen, ALL, tableOrder('project'));
    assert.deepEqual(a?.values, {
      project: 'A',
      versions: 2,
      size: 100,
      published: day(3),
      by: 'first',
      dead_links: 0,
      warnings: 2,
    });
    assert.deepEqual(b?.values, {
      project: 'B',
      group: 'Tools',
      owner: 'Ann',
      versions: 1,
      size: 100,
      published: day(9),
      reads: 5,
      agents: 2,
      missing: 1,
      dead_links: 12,
      warnings: 0,
    });
  });

  it('has no column of a disabled feature', async () => {
    const bare = new ProjectTable(new ListProjects(), async () => DISK_USE);
    const all = ['project', 'group', 'owner', 'versions', 'size', 'published', 'by', 'warnings'];
    assert.deepEqual(bare.columns, all);
    const [first] = await bare.execute(seen, ALL, tableOrder('project'));
    assert.ok(Object.keys(first?.values ?? {}).every((column) => all.includes(column)));
    assert.deepEqual(
      table.columns.filter((column) => !all.includes(column)),
      ['reads', 'agents', 'missing', 'dead_links'],
    );
  });

  it('sorts by each column both ways, numbers largest first, and missing values last', async () => {
    assert.deepEqual(await namesBy(tableOrder('project')), ['a', 'b', 'c9', 'c10']);
    assert.deepEqual(await namesBy(tableOrder('project', 'desc')), ['c10', 'c9', 'b', 'a']);
    assert.deepEqual(await namesBy(tableOrder('owner')), ['b', 'c10', 'a', 'c9']);
    assert.deepEqual(await namesBy(tableOrder('owner', 'desc')), ['c10', 'b', 'a', 'c9']);
    assert.deepEqual(await namesBy(tableOrder('published')), ['b', 'a', 'c9', 'c10']);
    assert.deepEqual(await namesBy(tableOrder('published', 'asc')), ['c9', 'c10', 'a', 'b']);
    assert.deepEqual(await namesBy(tableOrder('dead_links')), ['b', 'a', 'c9', 'c10']);
    assert.deepEqual(await namesBy(tableOrder('dead_links', 'asc')), ['a', 'b', 'c9', 'c10']);
  });

  it('finds and filters projects as the index does', async () => {
    const order = tableOrder('versions');
    assert.deepEqual(await namesBy(order, { ...ALL, filter: { owner: 'ANN' } }), ['b']);
    assert.deepEqual(await namesBy(order, { ...ALL, search: SearchTerm.of('bob') ?? assert.fail() }), [
      'c10',
    ]);
  });
});
