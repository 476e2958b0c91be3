import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { type Refusal, SitePath } from '../../src/domain/index.js';
import { idOf, publish, readPage, textOf, versionOf } from '../contracts/doc-store.js';
import { until } from '../support/until.js';
import { makeDirectory, openStore, removeAll, site, upload, writeSite } from './crash-world.js';

describe('A docs directory with foreign files', () => {
  let docs: string;
  let store: FilesystemDocStore;

  beforeEach(async () => {
    docs = await makeDirectory();
    store = await openStore(docs);
  });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });

  const names = () =>
    store.catalogue().projects.flatMap(({ versions }) => versions.map((one) => one.directoryName));
  const untilThereIs = (...expected: string[]) => until(() => names().join() === expected.join());

  it("keeps a file at the path of an archive's symlink", async () => {
    await writeFile(join(docs, 'a-1.0-docs.zip'), 'mine');
    await mkdir(join(docs, 'b-1.0-docs.zip'));
    for (const name of ['a-1.0', 'b-1.0']) {
      await upload(store, name, site('old'));
      await upload(store, name, site('new'));
      await store.remove(idOf(name));
    }
    assert.equal(await readFile(join(docs, 'a-1.0-docs.zip'), 'utf8'), 'mine');
    assert.deepEqual(await readdir(join(docs, 'b-1.0-docs.zip')), []);
  });

  it("serves a symlink's target, and replaces and deletes the symlink alone", async () => {
    const elsewhere = await makeDirectory();
    await writeSite(elsewhere, site('elsewhere'));
    for (const name of ['a-1.0', 'b-1.0']) await symlink(elsewhere, join(docs, name));
    await untilThereIs('a-1.0', 'b-1.0');
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'elsewhere b');
    await upload(store, 'a-1.0', site('new'));
    await store.remove(idOf('b-1.0'));
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'new b');
    assert.equal(await readFile(join(elsewhere, 'a/b.html'), 'utf8'), 'elsewhere b');
    await removeAll([elsewhere]);
  });

  it('logs an ignored docinfo of a directory once, and again when its fault changes', async () => {
    const told: unknown[] = [];
    const watched = await openStore(docs, undefined, (_message, fields) => told.push(fields));
    const problem = async (wanted: string) => {
      await until(async () => {
        await watched.catalogue();
        return JSON.stringify(told.at(-1))?.includes(wanted) === true;
      });
    };
    try {
      await writeSite(join(docs, 'a-1.0'), { 'index.html': 'a', 'docinfo.yaml': 'broken' });
      await problem('docinfo.yaml is broken');
      await rm(join(docs, 'a-1.0/docinfo.yaml'));
      await symlink('index.html', join(docs, 'a-1.0/docinfo.yaml'));
      await problem('docinfo.yaml is a link');
      assert.deepEqual(told, [
        { version: 'a-1.0', problem: 'docinfo.yaml is broken' },
        { version: 'a-1.0', problem: 'docinfo.yaml is a link, and links are not followed' },
      ]);
    } finally {
      await watched.close();
    }
  });

  it('has a version as long as its symlink resolves', async () => {
    const elsewhere = await makeDirectory();
    await writeSite(join(elsewhere, 'here'), site('elsewhere'));
    await symlink(join(elsewhere, 'here'), join(docs, 'a-1.0'));
    await untilThereIs('a-1.0');
    await rename(join(elsewhere, 'here'), join(elsewhere, 'gone'));
    await untilThereIs();
    await rename(join(elsewhere, 'gone'), join(elsewhere, 'here'));
    await untilThereIs('a-1.0');
    await removeAll([elsewhere]);
  });

  it('detects a change with restored timestamps', async () => {
    await publish(store, 'a-1.0', { 'index.html': '' });
    const past = new Date('2020-01-01T00:00:00.123Z');
    await utimes(docs, past, past);
    await writeSite(join(docs, 'b-1.0'), site('hand'));
    await utimes(docs, past, past);
    await untilThereIs('a-1.0', 'b-1.0');
    await rm(join(docs, 'b-1.0'), { recursive: true });
    await utimes(docs, past, past);
    await untilThereIs('a-1.0');
  });

  it('detects a change whatever its clock shows', async () => {
    const future = new Date(Date.now() + 1e9);
    await utimes(docs, future, future);
    for (const name of ['a-1.0', 'b-1.0', 'c-1.0']) {
      await writeSite(join(docs, name), site('hand'));
      await until(() => names().includes(name));
    }
  });

  it('shows a version with an unreadable record, and completely once readable', async () => {
    await upload(store, 'a-1.0', site('one'));
    const [generation = ''] = await readdir(join(docs, '.lectern/sites/a-1.0'));
    const record = join(docs, '.lectern/sites/a-1.0', generation, 'version.json');
    const text = await readFile(record, 'utf8');
    await writeFile(record, '{');
    const second = await openStore(docs);
    assert.equal((await versionOf(second, 'a-1.0')).record.archive, undefined);
    assert.equal(await readPage(second, 'a-1.0', 'a/b.html'), 'one b');
    await writeFile(record, text);
    const { revision } = await versionOf(second, 'a-1.0');
    await until(() => second.catalogue().version('a-1.0')?.record.archive !== undefined);
    assert.notEqual((await versionOf(second, 'a-1.0')).revision, revision);
    await second.close();
  });

  it('accepts uploads after the loss of .lectern, also of the lost versions', async () => {
    await upload(store, 'a-1.0', site('old'));
    await rm(join(docs, '.lectern'), { recursive: true });
    await rm(join(docs, 'a-1.0-docs.zip'));
    const { replaced } = await publish(store, 'a-1.0', { 'index.html': 'again' });
    assert.equal(replaced, false);
    assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'again');
    assert.equal(await readFile(join(docs, '.lectern/format'), 'utf8'), '2\n');
    const second = await openStore(docs);
    await second.close();
    assert.equal((await readdir(join(docs, '.lectern/running'))).length, 1);
  });

  it('lets a copied-in directory be deleted after the loss of .lectern', async () => {
    await writeSite(join(docs, 'a-1.0'), site('hand'));
    await rm(join(docs, '.lectern'), { recursive: true });
    await store.remove(idOf('a-1.0'));
    assert.deepEqual(names(), []);
    assert.equal(existsSync(join(docs, 'a-1.0')), false);
  });

  it('is unavailable while missing, and unchanged once back', async () => {
    await upload(store, 'a-1.0', site('one'));
    const version = await versionOf(store, 'a-1.0');
    await rename(docs, `${docs}.away`);
    await until(() => isUnavailable(store));
    await assert.rejects(store.stage(), { code: 'unavailable' });
    await assert.rejects(store.remove(idOf('a-1.0')), { code: 'unavailable' });
    await assert.rejects(store.freeBytes(), { code: 'unavailable' });
    await assert.rejects(store.open(version, SitePath.root), { code: 'unavailable' });
    await rename(`${docs}.away`, docs);
    await until(() => !isUnavailable(store));
    assert.deepEqual(await versionOf(store, 'a-1.0'), version);
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'one b');
  });

  it('notifies of all changes made while it was missing, once it is back', async () => {
    for (const name of ['a-1.0', 'b-1.0']) await upload(store, name, site(name));
    const told: string[] = [];
    store.subscribe(({ came, gone, settings }) => {
      told.push(...gone.map(({ directoryName }) => `-${directoryName}`));
      told.push(...came.map(({ directoryName }) => `+${directoryName}`));
      told.push(...settings.map(({ project }) => `=${project}`));
    });
    await rename(docs, `${docs}.away`);
    await until(() => isUnavailable(store));
    await rm(join(`${docs}.away`, 'a-1.0'));
    await writeSite(join(`${docs}.away`, 'c-1.0'), site('hand'));
    await writeFile(join(`${docs}.away`, '.lectern/projects/b.json'), '{"hidden":["1.0"]}');
    await rename(`${docs}.away`, docs);
    await until(() => !isUnavailable(store));
    assert.deepEqual(told.toSorted(), ['+c-1.0', '-a-1.0', '=b']);
    await until(async () => (await readdir(join(docs, '.lectern/public'))).length === 0);
  });

  it('gives a delayed reader the new state', async () => {
    await upload(store, 'a-1.0', site('old'));
    const old = await versionOf(store, 'a-1.0');
    await upload(store, 'a-1.0', site('new'));
    const second = await openStore(docs);
    for (const generation of await readdir(join(docs, '.lectern/sites/a-1.0'))) {
      const directory = join(docs, '.lectern/sites/a-1.0', generation);
      if ((await readFile(join(directory, 'site/a/b.html'), 'utf8')) === 'old b')
        await rm(directory, { recursive: true });
    }
    const entry = await store.open(old, SitePath.of('a/b.html') ?? assert.fail());
    assert.equal(entry?.kind === 'file' && (await textOf(entry.file)), 'new b');
    assert.ok((await store.listFiles(old, 10)).paths.includes('a/b.html'));
    const archive = await store.openArchive(old);
    assert.equal(archive.etag, (await versionOf(second, 'a-1.0')).record.archive?.sha256);
    await archive.close();
    await second.close();
  });

  it('drops the built archives of a removed directory', async () => {
    await writeSite(join(docs, 'a-1.0'), site('hand'));
    await untilThereIs('a-1.0');
    const file = await store.openArchive(await versionOf(store, 'a-1.0'));
    await file.close();
    await store.remove(idOf('a-1.0'));
    await store.close();
    assert.equal(existsSync(join(docs, '.lectern/built/a-1.0')), false);
  });
});

function isUnavailable(store: FilesystemDocStore): boolean {
  try {
    store.catalogue();
    return false;
  } catch (error) {
    assert.equal((error as Refusal).code, 'unavailable');
    return true;
  }
}
