import assert from 'node:assert/strict';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { FilesystemDocStore, verifyDocs } from '../../src/adapters/filesystem/index.js';
import { idOf, readPage, removedOf } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { until } from '../support/until.js';
import { archives, makeDirectory, openStore, removeAll, site, upload, writeSite } from './crash-world.js';

const WEEK = 7 * 24 * 3_600_000;

describe('The directory .lectern/removed', () => {
  let docs: string;
  let store: FilesystemDocStore;
  beforeEach(async () => {
    docs = await makeDirectory();
    store = await openStore(docs, undefined, undefined, WEEK);
  });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });

  const kept = async () => (await readdir(join(docs, '.lectern/removed'))).sort();
  const open = (keepMs: number | undefined) =>
    FilesystemDocStore.open(docs, { archives, readDocinfo: firstLineDocinfo, keepRemovedMs: keepMs });

  it('keeps the archive and the record of an upload, and drops its site', async () => {
    await upload(store, 'a-1.0', site('one'));
    const { ino } = await stat(join(docs, 'a-1.0-docs.zip'));
    await store.remove(idOf('a-1.0'));
    await store.close();
    const [record = '', archive = '', ...more] = await kept();
    assert.deepEqual(more, []);
    assert.match(record, /^[0-9a-z]+-[0-9a-f]{10}\.\d+\.[0-9a-z]+\.deleted\.a-1\.0\.json$/);
    assert.equal(archive, record.replace(/json$/, 'zip'));
    assert.equal((await stat(join(docs, '.lectern/removed', archive))).ino, ino);
    assert.deepEqual(await readdir(join(docs, '.lectern/sites')), []);
  });

  it('is cleared after its time, and kept by a process that does not know the time', async () => {
    await upload(store, 'a-1.0', site('one'));
    await writeSite(join(docs, 'b-1.0'), site('by hand'));
    await until(() => store.catalogue().version('b-1.0') !== undefined);
    await store.remove(idOf('a-1.0'));
    await store.remove(idOf('b-1.0'));
    assert.equal((await kept()).length, 3);
    const ignorant = await open(undefined);
    assert.deepEqual(await ignorant.removed(), []);
    await ignorant.clearUp(new Date(Date.now() + 2 * WEEK));
    await ignorant.close();
    assert.equal((await kept()).length, 3);
    const patient = await open(WEEK);
    assert.equal((await patient.removed()).length, 2);
    const before = Date.now();
    await patient.clearUp(new Date(before + WEEK - 60_000));
    assert.equal((await kept()).length, 3);
    await patient.clearUp(new Date(before + WEEK + 60_000));
    assert.deepEqual(await kept(), []);
    await patient.close();
  });

  it('is cleared by --keep-removed 0, which keeps nothing new', async () => {
    await upload(store, 'a-1.0', site('zero'));
    await store.remove(idOf('a-1.0'));
    assert.equal((await kept()).length, 2);
    const strict = await open(0);
    await strict.clearUp(new Date());
    assert.deepEqual(await kept(), []);
    await upload(strict, 'a-1.0', site('one'));
    await upload(strict, 'a-1.0', site('two'));
    await strict.remove(idOf('a-1.0'));
    assert.deepEqual(await kept(), []);
    await strict.close();
  });

  it('keeps a copied-in directory unchanged, and restores it, but never over a version', async () => {
    await writeSite(join(docs, 'a-1.0'), { ...site('by hand'), '.git/config': 'hidden' });
    await until(() => store.catalogue().version('a-1.0') !== undefined);
    await upload(store, 'a-1.0', site('uploaded'));
    const removed = await removedOf(store, 'a-1.0');
    assert.deepEqual([removed.version.origin, removed.isReplaced], ['copied', true]);
    await assert.rejects(store.restore(removed, { replace: true }), { code: 'version_exists' });
    assert.match(await readPage(store, 'a-1.0', 'index.html'), /uploaded/);
    await store.remove(idOf('a-1.0'));
    const { version } = await store.restore(removed, { replace: false });
    assert.equal(store.catalogue().version('a-1.0')?.origin, 'copied');
    assert.equal(version.origin, 'copied');
    assert.match(await readPage(store, 'a-1.0', 'index.html'), /by hand/);
    assert.ok(await stat(join(docs, 'a-1.0/.git/config')));
  });

  it('is skipped by verify, with files foreign to Lectern', async () => {
    await upload(store, 'a-1.0', site('one'));
    await upload(store, 'a-1.0', site('two'));
    await mkdir(join(docs, '.lectern/removed/mine'));
    await writeFile(join(docs, '.lectern/removed/note.txt'), 'x');
    const before = await kept();
    for await (const { faults } of verifyDocs(docs, { archives, repair: true })) assert.deepEqual(faults, []);
    assert.deepEqual(await kept(), before);
    assert.equal((await store.removed()).length, 1);
    const strict = await open(0);
    await strict.clearUp(new Date());
    await strict.close();
    assert.deepEqual(await kept(), ['mine', 'note.txt']);
  });

  it('is unused on a file system without hard links, and the log says so', async () => {
    const reported: string[] = [];
    const link = async () => {
      throw Object.assign(new Error('no hard links'), { code: 'EPERM' });
    };
    const poor = await FilesystemDocStore.open(docs, {
      archives,
      readDocinfo: firstLineDocinfo,
      keepRemovedMs: WEEK,
      disk: { ...nodeDisk, link },
      report: (message) => reported.push(message),
    });
    await upload(poor, 'a-1.0', site('one'));
    await poor.remove(idOf('a-1.0'));
    assert.equal(poor.catalogue().project('a'), undefined);
    assert.deepEqual(await poor.removed(), []);
    assert.deepEqual(reported, ['a version cannot be restored: its archive could not be linked']);
    await poor.close();
  });

  it('refuses to restore a version that another process purges meanwhile', async () => {
    await upload(store, 'a-1.0', site('one'));
    await writeSite(join(docs, 'b-1.0'), site('by hand'));
    await until(() => store.catalogue().version('b-1.0') !== undefined);
    await store.remove(idOf('a-1.0'));
    await store.remove(idOf('b-1.0'));
    const late =
      (move: typeof nodeDisk.link): typeof move =>
      async (from, to) => {
        if (String(from).includes('/removed/')) await rm(from, { recursive: true });
        await move(from, to);
      };
    const disk = { ...nodeDisk, link: late(nodeDisk.link), rename: late(nodeDisk.rename) };
    const other = await FilesystemDocStore.open(docs, {
      archives,
      readDocinfo: firstLineDocinfo,
      keepRemovedMs: WEEK,
      disk,
    });
    const removed = await store.removed();
    assert.equal(removed.length, 2);
    for (const each of removed) {
      await assert.rejects(other.restore(each, { replace: true }), { code: 'version_not_found' });
    }
    assert.deepEqual(await readdir(join(docs, '.lectern/incoming')), []);
    assert.deepEqual(other.catalogue().projects, []);
    await other.close();
  });

  it('survives two processes that replace, delete, restore and purge one version at once', async () => {
    const other = await openStore(docs, undefined, undefined, WEEK);
    const work = async (by: FilesystemDocStore, name: string) => {
      for (let round = 0; round < 12; round++) {
        await upload(by, 'a-1.0', site(`${name} ${round}`));
        const [newest] = await by.removed();
        const acts = [
          () => by.remove(idOf('a-1.0')),
          () => by.remove(idOf('a-1.0'), { purge: true }),
          async () => newest && by.restore(newest, { replace: true }),
        ];
        // The other one may have been faster.
        await acts[round % 3]?.().catch((error: { code?: string }) => {
          assert.ok(
            ['project_not_found', 'version_not_found', 'version_exists'].includes(error.code ?? ''),
            String(error),
          );
        });
      }
    };
    await Promise.all([work(store, 'one'), work(other, 'other')]);
    await upload(store, 'a-1.0', site('last'));
    for (const { version } of await store.removed()) {
      await store.restore(
        (await store.removed()).find((each) => each.version.revision === version.revision) ?? assert.fail(),
        { replace: true },
      );
      const text = await readPage(store, 'a-1.0', 'index.html');
      const [title = ''] = text.split(' index');
      assert.equal(text, site(title)['index.html']);
    }
    await store.remove(idOf('a-1.0'), { purge: true });
    assert.deepEqual(await kept(), []);
    await other.close();
  });
});
