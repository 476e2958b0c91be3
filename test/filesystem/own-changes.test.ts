import assert from 'node:assert/strict';
import { mkdir, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { DirectoryReader } from '../../src/adapters/filesystem/directory-reader.js';
import { type Disk, nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { Layout } from '../../src/adapters/filesystem/layout.js';
import { firstLineDocinfo, idOf, publish, readPage, versionOf } from '../contracts/doc-store.js';
import { until } from '../support/until.js';
import { archives, makeDirectory, openStore, removeAll, site, upload, writeSite } from './crash-world.js';

describe('A change by this process', () => {
  let docs: string;
  let store: FilesystemDocStore;
  /** What happens right after a link was set, or removed, in the docs directory. */
  let meanwhile: () => Promise<unknown>;
  /** Whether nothing can be removed from the docs directory, nor made durable there. */
  let isBroken: boolean;

  beforeEach(async () => {
    docs = await makeDirectory();
    meanwhile = async () => {};
    isBroken = false;
    const then = async (path: unknown, made: Promise<void>) => {
      await made;
      if (/\/a-[\d.]+$/.test(String(path))) await meanwhile();
    };
    const failed = () => Promise.reject(Object.assign(new Error('made up'), { code: 'EIO' }));
    const disk: Disk = {
      ...nodeDisk,
      symlink: (...names) => then(names[1], nodeDisk.symlink(...names)),
      rename: (...names) => then(names[1], nodeDisk.rename(...names)),
      unlink: (path) => (isBroken ? failed() : then(path, nodeDisk.unlink(path))),
      open: (path, ...how) => (isBroken && path === docs ? failed() : nodeDisk.open(path, ...how)),
    };
    store = await FilesystemDocStore.open(docs, { archives, readDocinfo: firstLineDocinfo, disk });
    await until(() => store.catalogueNow() !== undefined);
  });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });
  after(() => archives.close());

  const names = async (from = store) =>
    (await from.catalogue()).projects.flatMap(({ versions }) => versions.map((one) => one.directoryName));
  const namesNow = () =>
    store.catalogueNow()?.projects.flatMap(({ versions }) => versions.map((one) => one.directoryName));

  it('shows at once, without a look into the directory', async () => {
    await upload(store, 'a-1.0', site('one'));
    assert.deepEqual(namesNow(), ['a-1.0']);
    await upload(store, 'a-2.0', site('two'));
    assert.deepEqual(namesNow(), ['a-1.0', 'a-2.0']);
    const before = await versionOf(store, 'a-2.0');
    await upload(store, 'a-2.0', site('new'));
    assert.notEqual(store.catalogueNow()?.version('a-2.0'), before);
    await store.remove(idOf('a-1.0'));
    assert.deepEqual(namesNow(), ['a-2.0']);
  });

  it('leaves readers with what was there before until it is made', async () => {
    const seen: unknown[] = [];
    meanwhile = async () => {
      // A turn of the event loop later: the look of this turn is not what is asked for.
      await new Promise((resolve) => setTimeout(resolve, 0));
      seen.push(namesNow());
    };
    await upload(store, 'a-1.0', site('one'));
    await store.remove(idOf('a-1.0'));
    assert.deepEqual(seen, [[], ['a-1.0']]);
  });

  it('gives a catalogue that stays the same once a look has confirmed it', async () => {
    await upload(store, 'a-1.0', site('one'));
    const version = await versionOf(store, 'a-1.0');
    const catalogue = await store.catalogue();
    await duringTheNext(400, async () => assert.equal(await store.catalogue(), catalogue));
    assert.equal(await versionOf(store, 'a-1.0'), version);
  });

  it('hides what someone put there in the same instant for a moment only', async () => {
    meanwhile = () => writeSite(join(docs, 'b-1.0'), site('hand'));
    await upload(store, 'a-1.0', site('one'));
    assert.ok((await names()).includes('a-1.0'));
    await until(async () => (await names()).includes('b-1.0'));
    assert.deepEqual(await names(), ['a-1.0', 'b-1.0']);
    assert.equal(await readPage(store, 'b-1.0', 'a/b.html'), 'hand b');
  });

  it('hides what someone removed in the same instant for a moment only', async () => {
    for (const name of ['a-1.0', 'a-2.0', 'c-1.0']) await upload(store, name, site(name));
    meanwhile = () => rm(join(docs, 'c-1.0'));
    await store.remove(idOf('a-1.0'));
    await until(async () => !(await names()).includes('c-1.0'));
    assert.deepEqual(await names(), ['a-2.0']);
  });

  it('hides what another process published in the same instant for a moment only', async () => {
    await upload(store, 'b-1.0', site('old'));
    const other = await openStore(docs);
    meanwhile = () => upload(other, 'b-1.0', site('new'));
    await upload(store, 'a-1.0', site('one'));
    await until(async () => (await readPage(store, 'b-1.0', 'a/b.html')) === 'new b');
    assert.deepEqual(await names(), ['a-1.0', 'b-1.0']);
    await other.close();
  });

  it('does not hide what someone put there before, and nobody has asked for since', async () => {
    await writeSite(join(docs, 'b-1.0'), site('hand'));
    await publish(store, 'a-1.0', site('one'));
    assert.deepEqual(await names(), ['a-1.0', 'b-1.0']);
  });

  it('does not hide what someone puts there after it', async () => {
    await upload(store, 'a-1.0', site('one'));
    await untilTheClockTicks(docs);
    await writeSite(join(docs, 'b-1.0'), site('hand'));
    assert.deepEqual(await names(), ['a-1.0', 'b-1.0']);
  });

  it('over a directory put there by hand lasts when those are looked into again', async () => {
    await writeSite(join(docs, 'a-1.0'), site('hand'));
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'hand b');
    await upload(store, 'a-1.0', site('one'));
    // By then a second look into what was put there by hand would have been due.
    await duringTheNext(2_200, async () => {
      assert.equal((await versionOf(store, 'a-1.0')).origin, 'upload');
    });
  });

  it('that fails on its way leaves what is there', async () => {
    await upload(store, 'b-1.0', site('one'));
    meanwhile = async () => {
      meanwhile = async () => {};
      await rm(join(docs, 'b-1.0'));
      throw Object.assign(new Error('made up'), { code: 'EIO' });
    };
    await assert.rejects(upload(store, 'a-1.0', site('one')));
    assert.deepEqual(await names(), []);
    await upload(store, 'a-1.0', site('two'));
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'two b');
  });

  it('that fails and cannot be taken back shows what is there', async () => {
    isBroken = true;
    await assert.rejects(upload(store, 'a-1.0', site('one')), { code: 'unavailable' });
    isBroken = false;
    assert.deepEqual(await names(), ['a-1.0']);
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'one b');
  });

  it('is known again when the directory was gone just after it', async () => {
    await upload(store, 'a-1.0', site('one'));
    await rename(docs, `${docs}.away`);
    assert.equal(namesNow(), undefined);
    // Long enough for the look that confirms to find nothing.
    await duringTheNext(300, () => assert.rejects(store.catalogue(), { code: 'unavailable' }));
    await rename(`${docs}.away`, docs);
    assert.deepEqual(await names(), ['a-1.0']);
    await until(() => store.catalogueNow() !== undefined);
    await upload(store, 'a-2.0', site('two'));
    assert.deepEqual(namesNow(), ['a-1.0', 'a-2.0']);
  });

  it('and those of another one, many at once, are all known to both in the end', async () => {
    const other = await openStore(docs);
    const uploadAll = async (by: FilesystemDocStore, project: string) => {
      for (let number = 0; number < 15; number++) {
        const name = `${project}-1.${number}`;
        await upload(by, name, site(name));
        assert.ok((await names(by)).includes(name));
        if (number % 3 === 0) await by.remove(idOf(name));
        assert.equal((await names(by)).includes(name), number % 3 !== 0);
      }
    };
    await Promise.all([uploadAll(store, 'a'), uploadAll(other, 'b'), uploadAll(store, 'c')]);
    for (const by of [store, other]) await until(async () => (await names(by)).length === 30);
    assert.deepEqual(await names(store), await names(other));
    await other.close();
  });
});

describe('Reading a docs directory', () => {
  it('leaves out no version whose link is replaced meanwhile', async () => {
    const docs = await makeDirectory();
    const layout = new Layout(docs);
    const reader = new DirectoryReader(layout, firstLineDocinfo);
    const names = Array.from({ length: 1_000 }, (_, number) => `project-${number}.0`);
    for (const name of names) {
      for (const generation of ['one', 'two'])
        await mkdir(layout.generation(name, generation).site, { recursive: true });
      await symlink(layout.pointerTarget(name, 'one'), layout.pointer(name));
    }
    const { known } = await reader.read(new Map());
    assert.equal(known.size, names.length);
    let isDone = false;
    const replacing = (async () => {
      for (let number = 0; !isDone; number = (number + 7) % names.length) {
        const name = names[number] ?? '';
        const target = layout.pointerTarget(
          name,
          (await readlink(join(docs, name))).includes('/one/') ? 'two' : 'one',
        );
        await symlink(target, join(docs, '.coming'));
        await rename(join(docs, '.coming'), join(docs, name));
      }
    })();
    for (let round = 0; round < 20; round++)
      assert.equal((await reader.read(known)).known.size, names.length);
    isDone = true;
    await replacing;
    await removeAll([docs]);
  });
});

/** Asserts something again and again. */
async function duringTheNext(milliseconds: number, assertion: () => Promise<void>): Promise<void> {
  const end = performance.now() + milliseconds;
  await until(async () => {
    await assertion();
    return performance.now() > end;
  });
}

/** Waits until a change gets another time stamp than those before. */
async function untilTheClockTicks(docs: string): Promise<void> {
  const probe = join(docs, '.lectern/probe');
  const stampOf = async () => {
    await writeFile(probe, 'x');
    await writeFile(probe, '');
    return (await stat(probe, { bigint: true })).mtimeNs;
  };
  const before = await stampOf();
  await until(async () => (await stampOf()) !== before);
}
