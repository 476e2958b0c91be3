import assert from 'node:assert/strict';
import { readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FilesystemDocStore, verifyDocs } from '../../src/adapters/filesystem/index.js';
import { readPage } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { protect, unprotect } from '../support/protect.js';
import { contents, tree } from '../support/tree.js';
import {
  archives,
  buryLeases,
  makeDirectory,
  openStore,
  removeAll,
  site,
  upload,
  writeSite,
} from './crash-world.js';
import { Crash, type Fault, FaultyDisk } from './faulty-disk.js';

describe('The layout of a docs directory', () => {
  let docs: string;
  beforeEach(async () => {
    docs = await makeDirectory();
  });
  afterEach(() => removeAll([docs]));

  const format = () => readFile(join(docs, '.lectern/format'), 'utf8');

  it('has a number from the first start on', async () => {
    await (await openStore(docs)).close();
    assert.equal(await format(), '2\n');
  });

  const REFUSED: readonly [title: string, text: string, sentence: RegExp][] = [
    [
      'is newer',
      '4\n',
      /it has layout 4, but this version supports layouts up to 3 only; use a newer version of Lectern/,
    ],
    ['is damaged', 'two', /its file \.lectern\/format is damaged: write the layout number into it/],
    ['is empty', '', /damaged/],
    ['is unknown', '1\n', /damaged/],
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

  it('is refused when older, with the commands that upload everything again, and nothing is changed', async () => {
    await writeOlder(docs);
    const before = contents(docs);
    const sentence =
      /an older layout, .*: for zip in \*-docs\.zip; do lectern push "\$zip" --skip-existing; done$/;
    await assert.rejects(FilesystemDocStore.assertUsable(docs, {}), sentence);
    await assert.rejects(openStore(docs), sentence);
    const parts = { archives, readDocinfo: firstLineDocinfo };
    await assert.rejects(FilesystemDocStore.open(docs, { ...parts, mayBeReadOnly: true }), sentence);
    await assert.rejects(FilesystemDocStore.open(docs, { ...parts, privacy: 'unserved' }), sentence);
    await assert.rejects(verifyDocs(docs, { archives, repair: true }).next(), sentence);
    assert.deepEqual(contents(docs), before);
  });

  for (const fault of ['before', 'EIO'] as const) {
    it(`has its number before any publication, at whichever call the first start or upload meets ${fault}`, async () => {
      const calls = await firstUploadWith(docs, undefined);
      for (let at = 1; at <= calls; at++) {
        const begun = await makeDirectory();
        await firstUploadWith(begun, fault, at);
        await buryLeases(begun);
        await (await openStore(begun)).close();
        assert.equal(await readFile(join(begun, '.lectern/format'), 'utf8'), '2\n', `call ${at}`);
        await removeAll([begun]);
      }
    });
  }

  it('has no number in a foreign directory, and is served unchanged when read-only', async (t) => {
    await writeSite(join(docs, 'b-1.0'), site('hand'));
    const before = contents(docs);
    if (!protect(docs)) return t.skip('root may mount nothing here');
    const readOnly = { archives, readDocinfo: firstLineDocinfo, mayBeReadOnly: true };
    const store = await FilesystemDocStore.open(docs, readOnly);
    assert.equal(await readPage(store, 'b-1.0', 'a/b.html'), 'hand b');
    await store.close();
    unprotect(docs);
    assert.deepEqual(contents(docs), before);
  });

  it('is created below an existing parent directory only', async () => {
    const options = { archives, readDocinfo: firstLineDocinfo };
    await (await FilesystemDocStore.open(join(docs, 'made'), options)).close();
    await writeFile(join(docs, 'file'), '');
    const before = await tree(docs);
    for (const [path, code] of [
      ['missing/docs', 'ENOENT'],
      ['file/docs', 'ENOTDIR'],
    ] as const) {
      await assert.rejects(FilesystemDocStore.open(join(docs, path), options), { code });
    }
    assert.deepEqual(await tree(docs), before);
  });

  it('has the documented paths of a version', async () => {
    const store = await openStore(docs);
    await upload(store, 'a-1.0', site('one'));
    await store.close();
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

/** Starts on an empty directory, and uploads. @returns the number of calls that change the disk */
async function firstUploadWith(docs: string, fault: Fault | undefined, at?: number): Promise<number> {
  const faulty = new FaultyDisk();
  faulty.arm(at, fault);
  let store: FilesystemDocStore | undefined;
  try {
    store = await openStore(docs, faulty);
    await upload(store, 'a-1.0', site('one'), faulty);
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: unknown };
    assert.ok(cause instanceof Crash || error instanceof Crash || code === 'EIO' || code === 'unavailable');
  }
  const { length } = faulty.calls;
  if (fault === 'before') await faulty.end();
  await store?.close().catch(() => {});
  return length;
}

/** A docs directory without a number, with two uploaded versions and a copied-in one. */
async function writeOlder(docs: string): Promise<void> {
  const store = await openStore(docs);
  for (const name of ['a-1.0', 'a-2.0']) await upload(store, name, site(name));
  await store.close();
  await writeSite(join(docs, 'b-1.0'), site('hand'));
  for (const name of ['format', 'public', 'locks', 'projects', 'derived', 'removed']) {
    await rm(join(docs, '.lectern', name), { recursive: true });
  }
}
