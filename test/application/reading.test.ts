import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import {
  Changes,
  DeleteVersion,
  DownloadVersion,
  ListProjects,
  ReadPage,
} from '../../src/application/index.js';
import { type Actor, SearchTerm, tokenActor, type Version } from '../../src/domain/index.js';
import { publish, textOf } from '../contracts/doc-store.js';
import { seenIn } from '../support/seen-in.js';

describe('The use cases for readers', () => {
  let docs: MemoryDocStore;
  beforeEach(async () => {
    docs = new MemoryDocStore();
    // An archive here is the content of its files.
    await publish(docs, 'tool-1.0', { 'index.html': 'one', 'guide/index.html': 'g', '404.html': 'gone' });
    await publish(docs, 'tool-2.0-rc.1', { 'a.txt': 'a' });
    await publish(docs, 'other-1.0', { 'index.html': 'x' });
  });

  it('list 5,000 files of a site, within 500,000 characters of paths, and say whether more exist', async () => {
    const { version } = docs.catalogue().locate('tool-1.0') ?? assert.fail();
    const listed = async (count: number, length: number) => {
      const said = Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, 'x'));
      const listFiles = async (_: Version, max: number) => {
        const paths = said.slice(0, max);
        return { paths, sizes: paths.map(() => 0), more: said.length > max };
      };
      const { paths, more } = await new ReadPage({ open: docs.open.bind(docs), listFiles }).filesOf(version);
      return [paths.length, more];
    };
    assert.deepEqual(await listed(5_000, 5), [5_000, false]);
    assert.deepEqual(await listed(5_001, 5), [5_000, true]);
    assert.deepEqual(await listed(4, 125_000), [4, false]);
    assert.deepEqual(await listed(4, 125_001), [3, true]);
  });

  it('list all or matching projects, as the same array while nothing changes', async () => {
    const list = new ListProjects();
    assert.equal(
      await list.execute(seenIn(docs)),
      await list.execute(seenIn(docs), { search: SearchTerm.none }),
    );
    const found = await list.execute(seenIn(docs), { search: SearchTerm.of('TOO') ?? assert.fail() });
    assert.deepEqual(
      found.map(({ directoryName }) => directoryName),
      ['tool'],
    );
  });

  it('list projects in a natural order, as the same array while nothing changes', async () => {
    const list = new ListProjects();
    const newest = await list.execute(seenIn(docs), { order: 'newest' });
    assert.equal(await list.execute(seenIn(docs), { order: 'newest' }), newest);
    assert.notEqual(await list.execute(seenIn(docs), { order: 'name' }), newest);
    const found = await list.execute(seenIn(docs), {
      order: 'newest',
      search: SearchTerm.of('o') ?? assert.fail(),
    });
    assert.deepEqual(found, newest);
    await publish(docs, 'new-1.0', { 'index.html': 'x' });
    assert.equal((await list.execute(seenIn(docs), { order: 'newest' })).length, newest.length + 1);
  });

  it('download a version, or the version behind latest', async () => {
    const download = new DownloadVersion(docs);
    for (const [version, archive] of [
      ['1.0', 'oneggone'],
      ['latest', 'oneggone'],
      ['2.0-rc.1', 'a'],
    ] as const) {
      const found = await download.execute(seenIn(docs), { project: 'tool', version });
      assert.equal('file' in found && (await textOf(found.file)), archive);
    }
    await assert.rejects(download.execute(seenIn(docs), { project: 'tool', version: '3' }), {
      code: 'version_not_found',
    });
    await assert.rejects(download.execute(seenIn(docs), { project: 'nothing', version: 'latest' }), {
      code: 'project_not_found',
    });
  });

  it('read pages, and name the kind of answer', async () => {
    const read = new ReadPage(docs);
    const kinds: readonly [path: string, kind: string][] = [
      ['/tool-1.0/', 'page'],
      ['/tool-latest/guide/', 'page'],
      ['/tool-1.0', 'redirect'],
      ['/tool-1.0/guide', 'redirect'],
      ['/tool', 'other-root'],
      ['/tool-2.0-rc.1/', 'listing'],
      ['/tool-1.0-docs.zip', 'archive'],
      ['/tool-latest-docs.zip', 'archive'],
      ['/tool-1.0/nothing', 'missing'],
      ['/tool-9.0/', 'missing'],
      ['/', 'missing'],
      ['', 'missing'],
      ['no slash', 'missing'],
    ];
    for (const [path, kind] of kinds) assert.equal((await read.execute(seenIn(docs), path)).kind, kind, path);
  });

  it('name the missing part', async () => {
    const read = new ReadPage(docs);
    const whatOf = async (path: string) => {
      const answer = await read.execute(seenIn(docs), path);
      return answer.kind === 'missing' ? [answer.missing.what, answer.page !== undefined] : answer.kind;
    };
    assert.deepEqual(await whatOf('/tool-1.0/nothing'), ['page', true]);
    assert.deepEqual(await whatOf('/other-1.0/nothing'), ['page', false]);
    assert.deepEqual(await whatOf('/tool-9.0/'), ['version', false]);
    assert.deepEqual(await whatOf('/tool-9.0-docs.zip'), ['version', false]);
    assert.deepEqual(await whatOf('/tool~gone-docs.zip'), ['preview', false]);
    assert.deepEqual(await whatOf('/nothing-9.0-docs.zip'), ['project', false]);
    assert.deepEqual(await whatOf('/tool-9.0-docs.zip/'), ['project', false]);
    assert.deepEqual(await whatOf('/tool/../page'), ['version', false]);
    assert.deepEqual(await whatOf('/nothing-1.0/'), ['project', false]);
  });

  it('check a deletion in the order project, permission, existence', async () => {
    const scoped = tokenActor('scoped', { projects: ['tool'] });
    const deleter = tokenActor('deleter', { projects: ['tool'], allowDelete: true });
    const remove = new DeleteVersion(docs, new Changes(docs));
    const code = (actor: Actor, project: string, version: string) =>
      remove.remove(actor, project, version).then(
        ({ directoryName }) => directoryName,
        (error: { code: string }) => error.code,
      );
    assert.equal(await code(scoped, 'other', '9'), 'project_not_allowed');
    assert.equal(await code(scoped, 'tool', '9'), 'delete_not_allowed');
    assert.equal(await code(deleter, 'tool', '9'), 'version_not_found');
    assert.equal(await code(deleter, 'tool', 'latest'), 'version_not_found');
    assert.equal(await code(deleter, 'tool', '1.0'), 'tool-1.0');
    assert.equal(await code(deleter, 'tool', '1.0'), 'version_not_found');
  });
});
