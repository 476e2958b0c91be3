import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Disk, nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { readPage } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { until } from '../support/until.js';
import { archives, makeDirectory, removeAll, site, upload } from './crash-world.js';

describe('A replaced generation', () => {
  let docs: string;
  let store: FilesystemDocStore;
  /** The directories that the disk was asked to remove with all that is in them. */
  let asked: string[];
  let removing: (directory: string) => Promise<void>;

  beforeEach(async () => {
    docs = await makeDirectory();
    asked = [];
    removing = (directory) => rm(directory, { recursive: true, force: true });
    const remove = (path: string) => {
      asked.push(path);
      return removing(path);
    };
    store = await FilesystemDocStore.open(docs, {
      archives,
      readDocinfo: firstLineDocinfo,
      graceMs: 0,
      disk: { ...nodeDisk, rm: remove as Disk['rm'] },
    });
    asked.length = 0;
  });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });

  const generations = () => readdir(join(docs, '.lectern/sites/a-1.0'));
  const trash = () => readdir(join(docs, '.lectern/trash'));
  const removed = () => asked.filter((path) => /\/\.lectern\/(?:trash|sites)\//.test(path));

  it('is removed from the trash one by one, without leftovers', async () => {
    for (const text of ['one', 'two', 'three']) await upload(store, 'a-1.0', site(text));
    await until(async () => removed().length === 2 && (await trash()).length === 0);
    assert.equal((await generations()).length, 1);
    assert.ok(removed().every((directory) => directory.startsWith(join(docs, '.lectern/trash/'))));
  });

  it('delays no publication of the same version, however long its removal takes', async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    removing = async (directory) => {
      if (directory.includes('/trash/')) await held;
      await rm(directory, { recursive: true, force: true });
    };
    await upload(store, 'a-1.0', site('one'));
    await upload(store, 'a-1.0', site('two'));
    await until(() => removed().length === 1);
    await upload(store, 'a-1.0', site('three'));
    assert.match(await readPage(store, 'a-1.0', 'index.html'), /three/);
    assert.equal((await trash()).length, 1);
    goOn();
    await until(async () => (await trash()).length === 0);
  });

  it('is removed in place when there is no room to move it', async () => {
    await rm(join(docs, '.lectern/trash'), { recursive: true });
    await upload(store, 'a-1.0', site('one'));
    await upload(store, 'a-1.0', site('two'));
    await until(async () => (await generations()).length === 1);
    assert.ok(removed().every((directory) => directory.startsWith(join(docs, '.lectern/sites/a-1.0/'))));
  });

  it('is gone when the store is closed', async () => {
    await upload(store, 'a-1.0', site('one'));
    await upload(store, 'a-1.0', site('two'));
    await store.close();
    assert.deepEqual([(await trash()).length, (await generations()).length], [0, 1]);
    assert.deepEqual(await readdir(join(docs, '.lectern/incoming')), []);
  });
});
