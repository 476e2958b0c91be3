import assert from 'node:assert/strict';
import type { PathLike } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { FilesystemDocStore, type FilesystemOptions } from '../../src/adapters/filesystem/index.js';
import type { Privacy } from '../../src/application/index.js';
import { AccessPolicy, ANYBODY } from '../../src/domain/index.js';
import { idOf } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { RULES, some } from '../support/private-projects.js';
import { protect, unprotect } from '../support/protect.js';
import { tree } from '../support/tree.js';
import { until } from '../support/until.js';
import { archives, makeDirectory, removeAll, site, upload } from './crash-world.js';

const EVERYBODY = new AccessPolicy(RULES, '1').ofNobody;
const NOBODY_AT_ALL = new AccessPolicy({ default: some([]), projects: new Map() }, '2').ofNobody;

describe('A docs directory with private projects', () => {
  let docs: string;
  const stores: FilesystemDocStore[] = [];

  const open = async (privacy: Privacy, more: Partial<FilesystemOptions> = {}) => {
    const options = { archives, readDocinfo: firstLineDocinfo, pollMs: 20, privacy, ...more };
    const store = await FilesystemDocStore.open(docs, options);
    stores.push(store);
    return store;
  };
  const closeAll = async () => {
    for (const store of stores.splice(0)) await store.close();
  };
  const format = () => readFile(join(docs, '.lectern/format'), 'utf8');
  const links = async () => (await readdir(join(docs, '.lectern/public'))).sort();

  beforeEach(async () => {
    docs = await makeDirectory();
    const store = await open('none');
    for (const name of ['shown-1.0', 'vault-1.0', 'vault-2.0']) await upload(store, name, site(name));
    await closeAll();
    assert.equal(await format(), '2\n');
    assert.deepEqual(await links(), ['shown-1.0', 'shown-latest', 'vault-1.0', 'vault-2.0', 'vault-latest']);
  });
  afterEach(async () => {
    await closeAll();
    await removeAll([docs]);
  });

  it('has a higher layout number and no links for web servers from the first start on', async () => {
    const store = await open(EVERYBODY);
    assert.equal(await format(), '3\n');
    assert.deepEqual(await links(), ['shown-1.0', 'shown-latest']);
    await upload(store, 'vault-3.0', site('new'));
    await upload(store, 'shown-2.0', site('new'));
    assert.deepEqual(await links(), ['shown-1.0', 'shown-2.0', 'shown-latest']);
  });

  it('has the higher layout number again after the loss of .lectern', async () => {
    const store = await open(EVERYBODY);
    await rm(join(docs, '.lectern'), { recursive: true });
    await upload(store, 'vault-3.0', site('new'));
    assert.equal(await format(), '3\n');
  });

  it('is refused by a server that lacks rules, and nothing is changed', async () => {
    await open(EVERYBODY);
    await closeAll();
    const before = await tree(docs);
    const sentence = /projects in it are private: start with --access/;
    await assert.rejects(FilesystemDocStore.assertUsable(docs, {}), sentence);
    await assert.rejects(FilesystemDocStore.assertUsable(docs, { mayBeReadOnly: true }), sentence);
    await assert.rejects(open('none'), sentence);
    assert.deepEqual(await tree(docs), before);
    await FilesystemDocStore.assertUsable(docs, { privacy: EVERYBODY });
  });

  it('is public again on request', async () => {
    await open(EVERYBODY);
    await closeAll();
    await open('ended');
    assert.equal(await format(), '2\n');
    assert.deepEqual(await links(), ['shown-1.0', 'shown-latest', 'vault-1.0', 'vault-2.0', 'vault-latest']);
    await closeAll();
    await open('none');
  });

  it('has the links of new rules when it reports them active', async () => {
    const store = await open(EVERYBODY);
    await store.showInPublic(NOBODY_AT_ALL);
    assert.deepEqual(await links(), []);
    await upload(store, 'shown-2.0', site('new'));
    assert.deepEqual(await links(), []);
    await store.showInPublic(ANYBODY);
    assert.equal((await links()).length, 6);
  });

  it('reports links that cannot be removed, and removes them later', async () => {
    let isBroken = false;
    const disk = {
      ...nodeDisk,
      unlink: (path: PathLike) =>
        isBroken && String(path).includes('/.lectern/public/')
          ? Promise.reject(Object.assign(new Error('made up'), { code: 'EIO' }))
          : nodeDisk.unlink(path),
    };
    const store = await open(EVERYBODY, { disk });
    isBroken = true;
    await assert.rejects(
      store.showInPublic(NOBODY_AT_ALL),
      /links in \.lectern\/public could not be updated/,
    );
    assert.deepEqual(await links(), ['shown-1.0', 'shown-latest']);
    isBroken = false;
    await until(async () => (await links()).length === 0);
    await store.showInPublic(NOBODY_AT_ALL);
  });

  it('does not start with links that cannot be removed', async () => {
    const disk = {
      ...nodeDisk,
      unlink: (path: PathLike) =>
        String(path).includes('/.lectern/public/vault')
          ? Promise.reject(Object.assign(new Error('made up'), { code: 'EIO' }))
          : nodeDisk.unlink(path),
    };
    await assert.rejects(open(EVERYBODY, { disk }), /could not be updated/);
    // Whoever does not know the rules is kept out all the same.
    await assert.rejects(open('none'), /are private/);
  });

  it('gets no link from a command, and loses the links of removed versions', async () => {
    const server = await open(EVERYBODY);
    const command = await open('unserved');
    assert.deepEqual(await links(), ['shown-1.0', 'shown-latest']);
    await upload(command, 'vault-3.0', site('new'));
    await command.remove(idOf('shown-1.0'));
    await until(() => server.catalogue().project('shown') === undefined);
    await until(async () => (await links()).length === 0);
    assert.equal(await format(), '3\n');
  });

  it('counts as public in a command when no project has a rule', async () => {
    const command = await open('unserved');
    await upload(command, 'vault-3.0', site('new'));
    assert.ok((await links()).includes('vault-3.0'));
    assert.equal(await format(), '2\n');
  });

  it('is served when read-only, once it has the higher layout number', async (t) => {
    if (!protect(docs, join(docs, '.lectern'))) return t.skip('root may mount nothing here');
    await assert.rejects(open(EVERYBODY, { mayBeReadOnly: true }), /has private projects: write 3 into it/);
    unprotect(docs, join(docs, '.lectern'));
    await writeFile(join(docs, '.lectern/format'), '3\n');
    protect(docs, join(docs, '.lectern'));
    const store = await open(EVERYBODY, { mayBeReadOnly: true });
    assert.equal(store.catalogue().projects.length, 2);
    await assert.rejects(open('ended', { mayBeReadOnly: true }), /no longer has private projects: write 2/);
    await closeAll();
    unprotect(docs, join(docs, '.lectern'));
  });
});
