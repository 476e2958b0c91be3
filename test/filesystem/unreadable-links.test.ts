import assert from 'node:assert/strict';
import fs, { existsSync } from 'node:fs';
import promises, { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { readPage, versionOf } from '../contracts/doc-store.js';
import { until } from '../support/until.js';
import { makeDirectory, openStore, removeAll, site, upload, writeSite } from './crash-world.js';

/** A disk, or a server of NFS, that does not say for a moment where some links lead. */
describe('An unreadable version', () => {
  let docs: string;
  let store: FilesystemDocStore;
  let isBroken: boolean;
  let refused: number;
  let told: string[];

  beforeEach(async () => {
    docs = await makeDirectory();
    store = await openStore(docs);
    for (const name of ['a-1.0', 'a-2.0', 'b-1.0']) await upload(store, name, site(name));
    isBroken = false;
    refused = 0;
    told = [];
    store.subscribe(({ came, gone }) => {
      told.push(...gone.map(({ directoryName }) => `-${directoryName}`));
      told.push(...came.map(({ directoryName }) => `+${directoryName}`));
    });
    const { readlinkSync } = fs;
    mock.method(fs, 'readlinkSync', (path: string) => {
      if (!isBroken || !path.startsWith(join(docs, 'a-'))) return readlinkSync(path);
      refused += 1;
      throw Object.assign(new Error('made up'), { code: 'EIO' });
    });
    syncBuiltinESMExports();
  });
  afterEach(async () => {
    mock.restoreAll();
    syncBuiltinESMExports();
    await store.close();
    await removeAll([docs]);
  });

  it('stays when it is a copied-in directory, and its later removal is detected', async () => {
    const directory = join(docs, 'hand-1.0');
    // Put there whole: a directory that is seen while it is written changes once more.
    await writeSite(`${docs}-hand`, site('hand'));
    await rename(`${docs}-hand`, directory);
    await until(() => store.catalogue().version('hand-1.0') !== undefined);
    told = [];
    const { stat } = promises;
    let asked = 0;
    const unreadable = mock.method(promises, 'stat', (path: string, options: { bigint: true }) => {
      if (path !== directory) return stat(path, options);
      asked += 1;
      return Promise.reject(Object.assign(new Error('made up'), { code: 'ESTALE' }));
    });
    syncBuiltinESMExports();
    await until(() => asked > 3);
    assert.deepEqual(told, []);
    unreadable.mock.restore();
    syncBuiltinESMExports();
    await rm(directory, { recursive: true });
    await until(() => told.includes('-hand-1.0'));
  });

  const polls = async (count: number) => {
    const before = refused;
    await until(() => refused > before + 2 * count);
  };

  it('stays when it is a symlink, with its derived files, and later changes are detected', async () => {
    const version = await versionOf(store, 'a-1.0');
    const index = join(docs, '.lectern/derived', version.revision);
    await mkdir(index);
    await writeFile(join(index, 'search.db'), 'an index');
    const links = await readdir(join(docs, '.lectern/public'));
    isBroken = true;
    await mkdir(join(docs, 'c-1.0'));
    await until(() => store.catalogue().version('c-1.0') !== undefined);
    await polls(3);
    assert.deepEqual(told, ['+c-1.0']);
    assert.equal(await versionOf(store, 'a-1.0'), version);
    assert.ok(existsSync(join(index, 'search.db')));
    assert.deepEqual((await readdir(join(docs, '.lectern/public'))).sort(), links.sort());
    isBroken = false;
    const second = await openStore(docs);
    await upload(second, 'a-1.0', site('new'));
    await second.close();
    await until(() => told.includes('+a-1.0'));
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'new b');
  });
});
