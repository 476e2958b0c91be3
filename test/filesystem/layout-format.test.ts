import assert from 'node:assert/strict';
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FilesystemDocStore, verifyDocs } from '../../src/adapters/filesystem/index.js';
import { idOf, readPage, textOf, versionOf } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { protect, unprotect } from '../support/protect.js';
import { tree } from '../support/tree.js';
import { zipOf } from '../support/zip-writer.js';
import {
  archives,
  assertPublic,
  buryLeases,
  copy,
  type Files,
  makeDirectory,
  openStore,
  removeAll,
  site,
  upload,
  writeLease,
  writeSite,
} from './crash-world.js';
import { Crash, FaultyDisk } from './faulty-disk.js';

/** The directories that the first layout has in `.lectern`. */
const FIRST_LAYOUT = ['sites', 'incoming', 'running', 'displaced', 'trash', 'built'];

describe('The layout of a docs directory', () => {
  let docs: string;
  beforeEach(async () => {
    docs = await makeDirectory();
  });
  afterEach(() => removeAll([docs]));

  const format = () => readFile(join(docs, '.lectern/format'), 'utf8');

  it('has a number, from the first start on', async () => {
    await (await openStore(docs)).close();
    assert.equal(await format(), '2\n');
  });

  const REFUSED: readonly [title: string, text: string, sentence: RegExp][] = [
    [
      'is newer',
      '4\n',
      /it has layout 4, and this program knows layouts up to 3; use a newer version of Lectern/,
    ],
    ['is damaged', 'two', /its file \.lectern\/format is damaged: it should hold the number of the layout/],
    ['is empty', '', /damaged/],
  ];
  for (const [title, text, sentence] of REFUSED) {
    it(`is refused by servers, imports and checks when its number ${title}, and nothing is changed`, async () => {
      await (await openStore(docs)).close();
      await writeFile(join(docs, '.lectern/format'), text);
      const before = await tree(docs);
      await assert.rejects(FilesystemDocStore.assertUsable(docs, {}), sentence);
      await assert.rejects(openStore(docs), sentence);
      const readOnly = { archives, readDocinfo: firstLineDocinfo, mayBeReadOnly: true };
      await assert.rejects(FilesystemDocStore.open(docs, readOnly), sentence);
      await assert.rejects(verifyDocs(docs, { archives, repair: true }).next(), sentence);
      assert.deepEqual(await tree(docs), before);
    });
  }

  it('of the first program is taken over by a start, with all that is published', async () => {
    await writeFirstLayout(docs);
    const store = await openStore(docs);
    await assertTakenOver(docs, store);
    await upload(store, 'a-1.0', site('new'));
    await store.remove(idOf('a-2.0'));
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'new b');
    await assertPublic(docs, store);
    await store.close();
  });

  it('of the first program is taken over after a crash at any call on the way, too', async () => {
    await writeFirstLayout(docs);
    const calls = await takeOverUntil(await copy(docs), undefined);
    for (let at = 1; at <= calls; at++) {
      const taken = await copy(docs);
      await takeOverUntil(taken, at);
      await buryLeases(taken);
      const store = await openStore(taken);
      await assertTakenOver(taken, store);
      await store.close();
      await removeAll([taken]);
    }
  });

  it('of the first program is served as it is where nothing can be written', async (t) => {
    await writeFirstLayout(docs);
    const before = await tree(docs);
    if (!protect(docs, join(docs, '.lectern'))) return t.skip('root may mount nothing here');
    const readOnly = { archives, readDocinfo: firstLineDocinfo, mayBeReadOnly: true };
    const store = await FilesystemDocStore.open(docs, readOnly);
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'one b');
    await store.close();
    unprotect(docs, join(docs, '.lectern'));
    assert.deepEqual(await tree(docs), before);
  });

  it('is put right again when the first program has worked on it in between', async () => {
    await writeFirstLayout(docs);
    await (await openStore(docs)).close();
    // It knows nothing of the directory for web servers.
    await publishAsFirst(docs, 'a-3.0', site('three'));
    await rm(join(docs, 'a-2.0'));
    await rm(join(docs, 'a-2.0-docs.zip'));
    const store = await openStore(docs);
    assert.equal(await readPage(store, 'a-3.0', 'a/b.html'), 'three b');
    await assertPublic(docs, store);
    await store.close();
  });

  it('keeps the places of the first one, so that the first program serves it as well', async () => {
    const store = await openStore(docs);
    await upload(store, 'a-1.0', site('one'));
    await store.close();
    for (const name of FIRST_LAYOUT) assert.ok((await lstat(join(docs, '.lectern', name))).isDirectory());
    const target = await readlink(join(docs, 'a-1.0'));
    assert.match(target, /^\.lectern\/sites\/a-1\.0\/[0-9a-z]+-[0-9a-f]{10}\.\d+\/site$/);
    assert.equal(await readlink(join(docs, 'a-1.0-docs.zip')), 'a-1.0/../archive.zip');
    const generation = join(docs, target, '..');
    assert.deepEqual((await readdir(generation)).sort(), [
      'archive-index',
      'archive.zip',
      'site',
      'version.json',
    ]);
    assert.equal(JSON.parse(await readFile(join(generation, 'version.json'), 'utf8')).format, 1);
  });
});

/** @returns the number of calls that change the disk */
async function takeOverUntil(docs: string, at: number | undefined): Promise<number> {
  const faulty = new FaultyDisk();
  faulty.arm(at, 'before');
  try {
    const store = await openStore(docs, faulty);
    const { length } = faulty.calls;
    await store.close();
    return length;
  } catch (error) {
    assert.ok(error instanceof Crash || (error as Error).cause instanceof Crash, String(error));
    await faulty.end();
    return faulty.calls.length;
  } finally {
    if (at === undefined) await removeAll([docs]);
  }
}

async function assertTakenOver(docs: string, store: FilesystemDocStore): Promise<void> {
  assert.equal(await readFile(join(docs, '.lectern/format'), 'utf8'), '2\n');
  await assertPublic(docs, store);
  for (const [name, text] of [
    ['a-1.0', 'one'],
    ['a-2.0', 'two'],
    ['b-1.0', 'hand'],
  ] as const) {
    assert.equal(await readPage(store, name, 'a/b.html'), `${text} b`);
  }
  const archive = await store.openArchive(await versionOf(store, 'a-1.0'));
  assert.equal(await textOf(archive), zipOf(site('one')).toString());
}

/** A docs directory as the first program has left it: two uploaded versions, a copied-in one, and the lease of its end. */
async function writeFirstLayout(docs: string): Promise<void> {
  for (const name of FIRST_LAYOUT) await mkdir(join(docs, '.lectern', name), { recursive: true });
  await publishAsFirst(docs, 'a-1.0', site('one'));
  await publishAsFirst(docs, 'a-2.0', site('two'));
  await writeSite(join(docs, 'b-1.0'), site('hand'));
  await writeLease(docs, 'mib2x7k0-0123456789.ended', { pid: 2 ** 30 }, new Date());
}

let published = 0;

async function publishAsFirst(docs: string, name: string, files: Files): Promise<void> {
  const { project, label } = idOf(name);
  published += 1;
  const generation = join(docs, '.lectern/sites', name, `mib2x7k0-0123456789.${published}`);
  await writeSite(join(generation, 'site'), files);
  const archive = zipOf(files);
  await writeFile(join(generation, 'archive.zip'), archive);
  const record = {
    format: 1,
    project,
    version: label,
    publishedAt: new Date(Date.UTC(2026, 0, published)).toISOString(),
    archive: { size: archive.length, sha256: '0'.repeat(64) },
    site: { files: 4, bytes: Object.values(files).join('').length },
    token: 'ci',
  };
  await writeFile(join(generation, 'version.json'), `${JSON.stringify(record, null, 2)}\n`);
  await symlink(`.lectern/sites/${name}/mib2x7k0-0123456789.${published}/site`, join(docs, name));
  await symlink(`${name}/../archive.zip`, join(docs, `${name}-docs.zip`));
}
