import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { firstLineDocinfo, readPage } from '../contracts/doc-store.js';
import { until } from '../support/until.js';
import { archives, makeDirectory, removeAll, site, upload } from './crash-world.js';

describe('A store whose old generations are removed elsewhere', () => {
  let docs: string;
  let store: FilesystemDocStore;
  /** What was to be removed, and what happens then. */
  let asked: string[];
  let removing: (directory: string) => Promise<void>;

  beforeEach(async () => {
    docs = await makeDirectory();
    asked = [];
    removing = (directory) => rm(directory, { recursive: true });
    store = await FilesystemDocStore.open(docs, {
      archives,
      readDocinfo: firstLineDocinfo,
      graceMs: 0,
      removeTree: (directory) => {
        asked.push(directory);
        return removing(directory);
      },
    });
  });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });
  after(() => archives.close());

  const generations = () => readdir(join(docs, '.lectern/sites/a-1.0'));
  const trash = () => readdir(join(docs, '.lectern/trash'));

  it('asks for them one by one, and leaves nothing', async () => {
    for (const text of ['one', 'two', 'three']) await upload(store, 'a-1.0', site(text));
    await until(async () => asked.length === 2 && (await trash()).length === 0);
    assert.equal((await generations()).length, 1);
    assert.ok(asked.every((directory) => directory.startsWith(join(docs, '.lectern/trash/'))));
  });

  it('publishes the same version meanwhile, however long that takes', async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    removing = async (directory) => {
      await held;
      await rm(directory, { recursive: true });
    };
    await upload(store, 'a-1.0', site('one'));
    await upload(store, 'a-1.0', site('two'));
    await until(() => asked.length === 1);
    await upload(store, 'a-1.0', site('three'));
    assert.match(await readPage(store, 'a-1.0', 'index.html'), /three/);
    assert.equal((await trash()).length, 1);
    goOn();
    await until(async () => (await trash()).length === 0);
  });

  for (const [title, remove] of [
    ['a thread of the zip adapter', (directory: string) => archives.remove(directory)],
    ['somebody who fails', () => Promise.reject(new Error('no threads'))],
    ['somebody who leaves them, and says nothing', async () => {}],
  ] as const) {
    it(`has nothing left of them when they were given to ${title}`, async () => {
      removing = remove;
      await upload(store, 'a-1.0', site('one'));
      await upload(store, 'a-1.0', site('two'));
      await until(async () => asked.length === 1 && (await trash()).length === 0);
      assert.equal((await generations()).length, 1);
    });
  }

  it('has nothing left of them where there is no place to put them aside', async () => {
    await rm(join(docs, '.lectern/trash'), { recursive: true });
    await upload(store, 'a-1.0', site('one'));
    await upload(store, 'a-1.0', site('two'));
    await until(async () => (await generations()).length === 1);
    assert.ok(asked.every((directory) => directory.startsWith(join(docs, '.lectern/sites/a-1.0/'))));
  });

  it('does not wait with an upload that is refused', async () => {
    removing = () => new Promise(() => {});
    const staging = await store.stage();
    await staging.discard();
    assert.deepEqual(asked, []);
  });

  it('is empty of them when it is closed', async () => {
    await upload(store, 'a-1.0', site('one'));
    await upload(store, 'a-1.0', site('two'));
    await store.close();
    assert.deepEqual([(await trash()).length, (await generations()).length], [0, 1]);
    assert.deepEqual(await readdir(join(docs, '.lectern/incoming')), []);
  });
});
