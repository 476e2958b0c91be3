import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, readlink, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Disk, nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { NO_SETTINGS, withAlias, withHidden } from '../../src/domain/index.js';
import { idOf } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { until } from '../support/until.js';
import {
  archives,
  assertPublic,
  makeDirectory,
  openStore,
  removeAll,
  site,
  upload,
  writeSite,
} from './crash-world.js';

describe('The directory for web servers', () => {
  let docs: string;
  let store: FilesystemDocStore;
  let isBroken: boolean;
  let reports: string[];

  beforeEach(async () => {
    docs = await makeDirectory();
    isBroken = false;
    reports = [];
    store = await openOn(diskThat(() => isBroken));
  });

  /** A disk whose links for web servers cannot be changed as long as something holds. */
  const diskThat = (isBroken: () => boolean): Disk => {
    const unlessBroken = <T>(path: unknown, call: () => Promise<T>) =>
      isBroken() && String(path).startsWith(`${docs}/.lectern/public/`)
        ? Promise.reject(Object.assign(new Error('made up'), { code: 'EIO' }))
        : call();
    return {
      ...nodeDisk,
      symlink: (...names) => unlessBroken(names[1], () => nodeDisk.symlink(...names)),
      rename: (...names) => unlessBroken(names[1], () => nodeDisk.rename(...names)),
      unlink: (path) => unlessBroken(path, () => nodeDisk.unlink(path)),
    };
  };
  const openOn = (disk: Disk) =>
    FilesystemDocStore.open(docs, {
      archives,
      readDocinfo: firstLineDocinfo,
      disk,
      pollMs: 20,
      report: (message) => reports.push(message),
    });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });

  const links = async () => (await readdir(join(docs, '.lectern/public'))).sort();
  const page = (path: string) => readFile(`${docs}/.lectern/public/${path}`, 'utf8');
  const isRight = () =>
    assertPublic(docs, store).then(
      () => true,
      () => false,
    );

  it('has no version with text files in other charsets than UTF-8, known to Lectern alone', async () => {
    await upload(store, 'a-1.0', site('one'));
    await upload(store, 'a-2.0', { 'index.html': Buffer.from('<meta charset=koi8-r>\xf0', 'latin1') });
    assert.deepEqual(await links(), ['a-1.0']);
    await upload(store, 'a-2.0', site('two'));
    assert.deepEqual(await links(), ['a-1.0', 'a-2.0', 'a-latest']);
    await assertPublic(docs, store);
  });

  it("has each uploaded version and the latest, before the upload's response", async () => {
    await upload(store, 'a-1.0', site('one'));
    assert.deepEqual(await links(), ['a-1.0', 'a-latest']);
    assert.equal(await page('a-latest/a/b.html'), 'one b');
    await upload(store, 'a-2.0', site('two'));
    assert.equal(await page('a-latest/a/b.html'), 'two b');
    await upload(store, 'a-2.0', site('new'));
    assert.equal(await page('a-2.0/a/b.html'), 'new b');
    assert.equal(await page('a-latest/a/b.html'), 'new b');
    await assertPublic(docs, store);
  });

  it('links directly to generations, with the archive beside the site', async () => {
    await upload(store, 'a-1.0', site('one'));
    const [generation] = await readdir(join(docs, '.lectern/sites/a-1.0'));
    assert.equal(await readlink(join(docs, '.lectern/public/a-latest')), `../sites/a-1.0/${generation}/site`);
    assert.equal((await page('a-1.0/../archive.zip')).slice(0, 2), 'PK');
  });

  it('has a version with a site built for one address at that address only', async () => {
    const builtFor = (base: string): Record<string, string> => ({
      'index.html': `<script src="${base}app.js"></script>`,
      'app.js': '',
    });
    await upload(store, 'a-1.0', builtFor('/kb/a-1.0/'));
    await upload(store, 'b-1.0', builtFor('/b-latest/'));
    await upload(store, 'c-1.0', builtFor('/'));
    await upload(store, 'd-1.0', builtFor('/elsewhere/'));
    assert.deepEqual(await links(), ['a-1.0', 'b-latest']);
    await upload(store, 'a-2.0', site('two'));
    assert.deepEqual(await links(), ['a-1.0', 'a-2.0', 'a-latest', 'b-latest']);
  });

  it("has nothing of a deleted version, before the deletion's response", async () => {
    for (const name of ['a-1.0', 'a-2.0']) await upload(store, name, site(name));
    await store.remove(idOf('a-2.0'));
    assert.deepEqual(await links(), ['a-1.0', 'a-latest']);
    assert.equal(await page('a-latest/a/b.html'), 'a-1.0 b');
    await store.remove(idOf('a-1.0'));
    assert.deepEqual(await links(), []);
  });

  it('has no hidden version, before the response, whichever process hid it', async () => {
    for (const name of ['a-1.0', 'a-2.0']) await upload(store, name, site(name));
    const hide = (by: FilesystemDocStore, isHidden: boolean) =>
      by.changeSettings('a', (catalogue) => withHidden(catalogue.settingsOf('a'), '2.0', isHidden));
    await hide(store, true);
    assert.deepEqual(await links(), ['a-1.0', 'a-latest']);
    assert.equal(await page('a-latest/a/b.html'), 'a-1.0 b');
    await assertPublic(docs, store);
    const other = await openStore(docs);
    await hide(other, false);
    assert.equal(await page('a-latest/a/b.html'), 'a-2.0 b');
    await until(async () => store.catalogue().settingsOf('a').hidden.size === 0);
    await assertPublic(docs, store);
    await other.changeSettings('a', (now) => withHidden(now.settingsOf('a'), '1.0', true));
    await hide(other, true);
    assert.deepEqual(await links(), []);
    await other.close();
  });

  it('has an alias only while no project has its address, whichever process publishes the project', async () => {
    await upload(store, 'a-1.0', site('one'));
    await store.changeSettings('a', () => withAlias(NO_SETTINGS, 'b', '1.0'));
    assert.equal(await page('a-b/a/b.html'), 'one b');
    await upload(store, 'a-b-7.0', site('seven'));
    assert.deepEqual(await links(), ['a-1.0', 'a-b-7.0', 'a-b-latest', 'a-latest']);
    await assertPublic(docs, store);
    await store.remove(idOf('a-b-7.0'));
    assert.equal(await page('a-b/a/b.html'), 'one b');
    // Copied in, so no store is told.
    await writeSite(join(docs, 'a-b-8.0'), { 'index.html': 'eight' });
    await until(async () => !(await links()).includes('a-b'));
    await assertPublic(docs, store);
  });

  it('has each alias, which follows its target, whichever process set it', async () => {
    for (const name of ['a-1.0', 'a-2.0']) await upload(store, name, site(name));
    const set = (by: FilesystemDocStore, alias: string, target?: string) =>
      by.changeSettings('a', (catalogue) => withAlias(catalogue.settingsOf('a'), alias, target));
    await set(store, 'lts', '1.x');
    assert.equal(await page('a-lts/a/b.html'), 'a-1.0 b');
    await upload(store, 'a-1.1', site('a-1.1'));
    assert.equal(await page('a-lts/a/b.html'), 'a-1.1 b');
    await set(store, 'latest', '1.0');
    assert.equal(await page('a-latest/a/b.html'), 'a-1.0 b');
    const other = await openStore(docs);
    await set(other, 'lts');
    await set(other, 'next', '2.0');
    assert.deepEqual(await links(), ['a-1.0', 'a-1.1', 'a-2.0', 'a-latest', 'a-next']);
    await until(() => store.catalogue().settingsOf('a').aliases.has('next'));
    await store.remove(idOf('a-2.0'));
    assert.deepEqual(await links(), ['a-1.0', 'a-1.1', 'a-latest']);
    await assertPublic(docs, store);
    await other.close();
    await (await openStore(docs)).close();
    await assertPublic(docs, store);
  });

  it("leaves an alias's address to a copied-in directory of that name, and logs it once", async () => {
    await upload(store, 'a-1.0', site('one'));
    await store.changeSettings('a', (now) => withAlias(now.settingsOf('a'), '1.x', '1.0'));
    assert.deepEqual(await links(), ['a-1.0', 'a-1.x', 'a-latest']);
    await writeSite(join(docs, 'a-1.x'), site('hand'));
    await until(async () => (await links()).join() === 'a-1.0,a-latest');
    assert.equal(store.catalogue().resolve('a-1.x')?.origin, 'copied');
    assert.deepEqual(reports, [
      'a copied-in directory has the address of an alias and is served instead of it',
    ]);
  });

  it('never has copied-in directories, nor a copied-in latest', async () => {
    await upload(store, 'a-1.0', site('one'));
    for (const name of ['a-2.0', 'b-1.0']) await writeSite(join(docs, name), site('hand'));
    await until(async () => (await links()).join() === 'a-1.0');
    await upload(store, 'a-2.0', site('two'));
    assert.deepEqual(await links(), ['a-1.0', 'a-2.0', 'a-latest']);
    await assertPublic(docs, store);
  });

  it('follows publications and deletions of other processes', async () => {
    // The other store never sets its links, as if its process ended before.
    const other = await openOn(diskThat(() => true));
    await upload(other, 'a-1.0', site('one'));
    await until(async () => store.catalogue().version('a-1.0') !== undefined && (await isRight()));
    await other.remove(idOf('a-1.0'));
    await until(async () => store.catalogue().version('a-1.0') === undefined && (await isRight()));
    await other.close();
  });

  it('converges when several processes replace and delete the same versions', async () => {
    const other = await openStore(docs);
    const names = ['a-1.0', 'a-2.0'];
    const changeAll = async (by: FilesystemDocStore) => {
      for (let round = 0; round < 9; round++) {
        for (const name of names) {
          await upload(by, name, site(`${round}`));
          if (round % 3 === 1) await by.remove(idOf(name)).catch(() => {});
        }
      }
    };
    await Promise.all([changeAll(store), changeAll(other)]);
    await until(isRight);
    assert.deepEqual(await links(), [...names, 'a-latest']);
    await other.close();
  });

  it('fails no upload when it is not writable, logs that once, and is repaired later', async () => {
    await upload(store, 'a-1.0', site('one'));
    isBroken = true;
    await upload(store, 'a-2.0', site('two'));
    assert.equal(store.catalogue().project('a')?.latest.label, '2.0');
    await upload(store, 'a-1.0', site('new'));
    assert.deepEqual(await links(), ['a-1.0', 'a-latest']);
    isBroken = false;
    await until(isRight);
    assert.deepEqual(await links(), ['a-1.0', 'a-2.0', 'a-latest']);
    assert.equal(reports.filter((message) => message.includes('.lectern/public')).length, 1);
  });

  it('has wrong and stale links repaired by a start, and keeps other files', async () => {
    for (const name of ['a-1.0', 'a-2.0', 'b-1.0']) await upload(store, name, site(name));
    await store.close();
    const place = join(docs, '.lectern/public');
    await unlink(join(place, 'a-1.0'));
    await unlink(join(place, 'a-latest'));
    await symlink('../../b-1.0', join(place, 'a-latest'));
    await symlink('/etc', join(place, 'etc-1.0'));
    await unlink(join(docs, 'b-1.0'));
    await writeFile(join(place, 'README'), 'a note');
    await mkdir(join(place, 'lost+found'));
    store = await openStore(docs);
    assert.deepEqual(await links(), ['README', 'a-1.0', 'a-2.0', 'a-latest', 'lost+found']);
    assert.equal(await page('a-latest/a/b.html'), 'a-2.0 b');
  });
});
