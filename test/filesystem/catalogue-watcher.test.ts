import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { CatalogueWatcher } from '../../src/adapters/filesystem/catalogue/catalogue-watcher.js';
import { DirectoryReader } from '../../src/adapters/filesystem/catalogue/directory-reader.js';
import { SettingsFiles } from '../../src/adapters/filesystem/catalogue/settings-files.js';
import { type Disk, nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { Layout } from '../../src/adapters/filesystem/layout.js';
import type { Version } from '../../src/domain/index.js';
import { idOf, readPage, versionOf } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { until } from '../support/until.js';
import { archives, makeDirectory, openStore, removeAll, site, upload, writeSite } from './crash-world.js';

/** So long after time stamps were first seen, no later change has the same ones. */
const TRUSTED_AFTER_MS = 100;

const namesIn = (store: FilesystemDocStore) =>
  store.catalogue().projects.flatMap(({ versions }) => versions.map((one) => one.directoryName));

/** Returns the changes that subscribers are told, in order: `+a-1.0` for a version that came, `-a-1.0` for one that went. */
function toldBy(store: Pick<FilesystemDocStore, 'subscribe'>): string[] {
  const told: string[] = [];
  store.subscribe(({ came, gone }) => {
    told.push(...gone.map(({ directoryName }) => `-${directoryName}`));
    told.push(...came.map(({ directoryName }) => `+${directoryName}`));
  });
  return told;
}

describe('A change by this process', () => {
  let docs: string;
  let store: FilesystemDocStore;
  let open: (pollMs: number) => Promise<FilesystemDocStore>;
  /** Runs right after a link was set, or removed, in the docs directory. */
  let meanwhile: () => Promise<unknown>;
  /** Whether nothing can be removed from the docs directory, nor made durable there. */
  let isBroken: boolean;

  beforeEach(async () => {
    docs = await makeDirectory();
    meanwhile = async () => {};
    isBroken = false;
    const then = async (path: unknown, made: Promise<void>) => {
      await made;
      if (String(path).startsWith(join(docs, 'a-')) && !String(path).endsWith('.zip')) await meanwhile();
    };
    const failed = () => Promise.reject(Object.assign(new Error('made up'), { code: 'EIO' }));
    const disk: Disk = {
      ...nodeDisk,
      symlink: (...names) => then(names[1], nodeDisk.symlink(...names)),
      rename: (...names) => then(names[1], nodeDisk.rename(...names)),
      unlink: (path) => (isBroken ? failed() : then(path, nodeDisk.unlink(path))),
      open: (path, ...how) => (isBroken && path === docs ? failed() : nodeDisk.open(path, ...how)),
    };
    open = (pollMs) =>
      FilesystemDocStore.open(docs, { archives, readDocinfo: firstLineDocinfo, disk, pollMs });
    store = await open(20);
  });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });

  const names = () => namesIn(store);

  it('shows at once, and notifies once', async () => {
    const told = toldBy(store);
    await upload(store, 'a-1.0', site('one'));
    assert.deepEqual(names(), ['a-1.0']);
    await upload(store, 'a-2.0', site('two'));
    assert.deepEqual(names(), ['a-1.0', 'a-2.0']);
    const before = await versionOf(store, 'a-2.0');
    await upload(store, 'a-2.0', site('new'));
    assert.notEqual((await versionOf(store, 'a-2.0')).revision, before.revision);
    await store.remove(idOf('a-1.0'));
    assert.deepEqual(names(), ['a-2.0']);
    // Once this version shows, the directory was scanned after all of these. In one step: half of it would be told as well.
    await writeSite(join(docs, '.coming'), site('hand'));
    await rename(join(docs, '.coming'), join(docs, 'z-1.0'));
    await until(() => names().includes('z-1.0'));
    assert.deepEqual(told, ['+a-1.0', '+a-2.0', '-a-2.0', '+a-2.0', '-a-1.0', '+z-1.0']);
  });

  it('shows readers the old state until it is complete', async () => {
    await store.close();
    // A poll in between would see the link, too.
    store = await open(60_000);
    const seen: unknown[] = [];
    meanwhile = async () => seen.push(names());
    await upload(store, 'a-1.0', site('one'));
    await store.remove(idOf('a-1.0'));
    assert.deepEqual(seen, [[], ['a-1.0']]);
  });

  it('hides nothing copied in at the same instant', async () => {
    meanwhile = () => writeSite(join(docs, 'b-1.0'), site('hand'));
    await upload(store, 'a-1.0', site('one'));
    await until(() => names().includes('b-1.0'));
    assert.deepEqual(names(), ['a-1.0', 'b-1.0']);
    assert.equal(await readPage(store, 'b-1.0', 'a/b.html'), 'hand b');
  });

  it('hides no removal by hand in the same instant', async () => {
    for (const name of ['a-1.0', 'a-2.0', 'c-1.0']) await upload(store, name, site(name));
    meanwhile = () => rm(join(docs, 'c-1.0'));
    await store.remove(idOf('a-1.0'));
    await until(() => !names().includes('c-1.0'));
    assert.deepEqual(names(), ['a-2.0']);
  });

  it('hides nothing published by another process in the same instant', async () => {
    await upload(store, 'b-1.0', site('old'));
    const other = await openStore(docs);
    meanwhile = () => upload(other, 'b-1.0', site('new'));
    await upload(store, 'a-1.0', site('one'));
    await until(async () => (await readPage(store, 'b-1.0', 'a/b.html')) === 'new b');
    assert.deepEqual(names(), ['a-1.0', 'b-1.0']);
    await other.close();
  });

  it('survives a rescan when it replaces a copied-in directory', async () => {
    await writeSite(join(docs, 'a-1.0'), site('hand'));
    await writeSite(join(docs, 'b-1.0'), site('hand'));
    await until(() => names().length === 2);
    await upload(store, 'a-1.0', site('one'));
    // Once this shows, copied-in directories have been read again.
    await writeFile(join(docs, 'b-1.0/docinfo.yaml'), 'Another Name');
    await until(async () => (await versionOf(store, 'b-1.0')).record.docinfo?.name === 'Another Name');
    assert.equal((await versionOf(store, 'a-1.0')).origin, 'upload');
  });

  it('keeps the old state when it fails midway', async () => {
    await upload(store, 'b-1.0', site('one'));
    meanwhile = async () => {
      meanwhile = async () => {};
      await rm(join(docs, 'b-1.0'));
      throw Object.assign(new Error('made up'), { code: 'EIO' });
    };
    await assert.rejects(upload(store, 'a-1.0', site('one')));
    assert.equal(names().includes('a-1.0'), false);
    await until(() => names().length === 0);
    await upload(store, 'a-1.0', site('two'));
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'two b');
  });

  it('shows the state on disk when it fails and cannot be rolled back', async () => {
    isBroken = true;
    await assert.rejects(upload(store, 'a-1.0', site('one')), { code: 'unavailable' });
    isBroken = false;
    assert.deepEqual(names(), ['a-1.0']);
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'one b');
  });

  it('converges with many changes of another process, with one notification each', async () => {
    const other = await openStore(docs);
    const told = [toldBy(store), toldBy(other)];
    const uploadAll = async (by: FilesystemDocStore, project: string) => {
      for (let number = 0; number < 15; number++) {
        const name = `${project}-1.${number}`;
        await upload(by, name, site(name));
        assert.ok(namesIn(by).includes(name));
        if (number % 3 === 0) await by.remove(idOf(name));
        assert.equal(namesIn(by).includes(name), number % 3 !== 0);
      }
    };
    await Promise.all([uploadAll(store, 'a'), uploadAll(other, 'b'), uploadAll(store, 'c')]);
    for (const by of [store, other]) await until(() => namesIn(by).length === 30);
    assert.deepEqual(names(), namesIn(other));
    for (const one of told) {
      const left = new Set<string>();
      for (const line of one) {
        const isNew = line.startsWith('+');
        assert.equal(left.has(line.slice(1)), !isNew, line);
        if (isNew) left.add(line.slice(1));
        else left.delete(line.slice(1));
      }
      assert.deepEqual([...left].sort(), names().sort());
    }
    await other.close();
  });
});

describe('Watching a docs directory', () => {
  let docs: string;
  beforeEach(async () => {
    docs = await makeDirectory();
  });
  afterEach(() => removeAll([docs]));

  it('finds no version in a directory removed during the scan', async () => {
    const directory = join(docs, 'hand-1.0');
    await mkdir(directory);
    await writeFile(join(directory, 'docinfo.yaml'), 'name: By hand');
    const reader = new DirectoryReader(new Layout(docs), () => {
      rmSync(directory, { recursive: true });
      return {};
    });
    assert.equal(await reader.readOne('hand-1.0'), undefined);
    assert.equal(existsSync(directory), false);
  });

  /** A watcher whose reader waits, once it has read, until it is told to go on. */
  async function slowWatcher() {
    const reader = new DirectoryReader(new Layout(docs), firstLineDocinfo);
    let goOn = () => {};
    let isWaiting = false;
    let isSlow = false;
    const slow = {
      readOne: (name: string) => reader.readOne(name),
      read: async (before: ReadonlyMap<string, Version>) => {
        const found = await reader.read(before);
        if (isSlow) {
          isWaiting = true;
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
        }
        return found;
      },
    } as DirectoryReader;
    const watcher = new CatalogueWatcher(docs, slow, new SettingsFiles(new Layout(docs)), {
      pollMs: 5,
      afterPoll: async () => {},
    });
    await watcher.start();
    isSlow = true;
    return {
      watcher,
      isWaiting: () => isWaiting,
      goOn: () => {
        isSlow = false;
        goOn();
      },
    };
  }

  it("keeps this process's changes made during a scan", async () => {
    for (const name of ['a-1.0', 'b-1.0']) await mkdir(join(docs, name));
    const { watcher, isWaiting, goOn } = await slowWatcher();
    const [old] = watcher.catalogue().project('b')?.versions ?? [];
    await mkdir(join(docs, 'c-1.0'));
    await until(isWaiting);
    // The scan has seen both as they were.
    watcher.set('a-1.0', undefined);
    watcher.set('b-1.0', { ...(old as Version), revision: 'new' });
    await rm(join(docs, 'a-1.0'), { recursive: true });
    goOn();
    await until(() => watcher.catalogue().version('c-1.0') !== undefined);
    assert.equal(watcher.catalogue().version('a-1.0'), undefined);
    await watcher.close();
  });

  it('shows nothing of a removed directory once a new one exists, however long the last scan took', async (t) => {
    const began = performance.now();
    let passedMs = 0;
    t.mock.method(performance, 'now', () => began + passedMs);
    await mkdir(join(docs, 'a-1.0'));
    const { watcher, isWaiting, goOn } = await slowWatcher();
    // Makes the next scan due late.
    await mkdir(join(docs, 'b-1.0'));
    await until(isWaiting);
    passedMs = 3_600_000;
    goOn();
    await until(() => watcher.catalogue().version('b-1.0') !== undefined);
    // Copied-in directories are read again at each poll, an uploaded version only by a scan.
    const [copied] = watcher.catalogue().project('b')?.versions ?? [];
    watcher.set('c-1.0', { ...(copied as Version), ...idOf('c-1.0'), origin: 'upload' });
    const isAway = () => {
      try {
        watcher.catalogue();
        return false;
      } catch {
        return true;
      }
    };
    await rm(docs, { recursive: true });
    await until(isAway);
    await mkdir(docs);
    await mkdir(join(docs, '.lectern/sites'), { recursive: true });
    await until(() => !isAway());
    assert.deepEqual(watcher.catalogue().projects, []);
    await watcher.close();
  });

  it('shows versions again after another directory took the place during a scan, as on a remounted disk', async () => {
    const [there, other, root] = [join(docs, 'there'), join(docs, 'other'), join(docs, 'root')];
    await mkdir(join(there, 'a-1.0'), { recursive: true });
    await mkdir(other);
    const exchange = async (target: string) => {
      await rm(root, { force: true });
      await symlink(target, root);
    };
    await exchange(there);
    const layout = new Layout(root);
    const reader = new DirectoryReader(layout, firstLineDocinfo);
    let isToBeExchanged = false;
    let isExchanged = false;
    const exchanging = {
      readOne: (name: string) => reader.readOne(name),
      read: async (before: ReadonlyMap<string, Version>) => {
        if (isToBeExchanged) await exchange(other);
        isExchanged = isToBeExchanged;
        isToBeExchanged = false;
        return reader.read(before);
      },
    } as DirectoryReader;
    const watcher = new CatalogueWatcher(root, exchanging, new SettingsFiles(layout), {
      pollMs: 5,
      afterPoll: async () => {
        if (isExchanged) await exchange(there);
        isExchanged = false;
      },
    });
    await watcher.start();
    const told = toldBy(watcher);
    const began = performance.now();
    await until(() => performance.now() - began > TRUSTED_AFTER_MS);
    isToBeExchanged = true;
    watcher.scanSoon();
    await until(() => told.length === 2);
    assert.deepEqual(told, ['-a-1.0', '+a-1.0']);
    await watcher.close();
  });

  it('rereads project settings that return unchanged, as on a remounted disk', async () => {
    const layout = new Layout(docs);
    await mkdir(layout.projects, { recursive: true });
    await writeFile(join(layout.projects, 'a.json'), '{"hidden":["2.0"]}');
    const files = new SettingsFiles(layout);
    let hidden: readonly string[] = [];
    const refresh = async () => {
      let isRead = false;
      await files.refresh((settings) => {
        isRead = true;
        for (const [, { hidden: labels }] of settings) hidden = [...labels];
      });
      return isRead;
    };
    // From then on the time stamps are trusted.
    await until(async () => !(await refresh()));
    assert.deepEqual(hidden, ['2.0']);
    await rename(docs, `${docs}.away`);
    await mkdir(docs);
    await refresh();
    assert.deepEqual(hidden, []);
    await rm(docs, { recursive: true });
    await rename(`${docs}.away`, docs);
    await refresh();
    assert.deepEqual(hidden, ['2.0']);
  });

  it('gives a copied-in directory another revision when its files or its docinfo change', async () => {
    await writeSite(join(docs, 'a-1.0'), site('hand'));
    const store = await openStore(docs);
    const revision = () => store.catalogue().version('a-1.0')?.revision;
    const seen = [revision()];
    const changes = [
      () => writeFile(join(docs, 'a-1.0/new.html'), ''),
      () => writeFile(join(docs, 'a-1.0/docinfo.yaml'), 'Another Name'),
      async () => {
        await rename(join(docs, 'a-1.0'), join(docs, 'aside'));
        await writeSite(join(docs, 'a-1.0'), site('hand'));
      },
    ];
    for (const change of changes) {
      await change();
      await until(() => ![undefined, ...seen].includes(revision()));
      seen.push(revision());
    }
    const second = await openStore(docs);
    // The first one may have seen the last directory before it had all its files.
    await until(() => second.catalogue().version('a-1.0')?.revision === revision());
    await second.close();
    await store.close();
  });

  it('returns the same catalogue while nothing changes, however often it scans', async () => {
    await writeSite(join(docs, 'a-1.0'), site('hand'));
    const reader = new DirectoryReader(new Layout(docs), firstLineDocinfo);
    let polls = 0;
    const afterPoll = async () => {
      polls += 1;
    };
    const watcher = new CatalogueWatcher(docs, reader, new SettingsFiles(new Layout(docs)), {
      pollMs: 5,
      afterPoll,
    });
    await watcher.start();
    const catalogue = watcher.catalogue();
    await until(() => polls >= 3);
    assert.equal(watcher.catalogue(), catalogue);
    await watcher.close();
  });

  it('stops scanning once closed', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const layout = new Layout(docs);
    const settings = new SettingsFiles(layout);
    const looking = t.mock.method(settings, 'refresh');
    const watcher = new CatalogueWatcher(docs, new DirectoryReader(layout, firstLineDocinfo), settings, {
      pollMs: 5,
      afterPoll: async () => {},
    });
    await watcher.start();
    t.mock.timers.tick(5);
    const before = looking.mock.callCount();
    assert.equal(before, 2);
    await watcher.close();
    t.mock.timers.tick(1_000);
    assert.equal(looking.mock.callCount(), before);
  });

  it('never keeps a process alive', async () => {
    const watcher = new CatalogueWatcher(
      docs,
      new DirectoryReader(new Layout(docs), firstLineDocinfo),
      new SettingsFiles(new Layout(docs)),
      {
        afterPoll: async () => {},
      },
    );
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await watcher.start();
    assert.equal(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length, before);
    await watcher.close();
  });
});

describe('Scanning a docs directory', () => {
  const names = Array.from({ length: 1_000 }, (_, number) => `project-${number}.0`);
  let docs: string;
  let layout: Layout;
  let reader: DirectoryReader;
  let versions: ReadonlyMap<string, Version>;
  before(async () => {
    docs = await makeDirectory();
    layout = new Layout(docs);
    reader = new DirectoryReader(layout, firstLineDocinfo);
    for (const name of names) {
      for (const generation of ['one', 'two'])
        await mkdir(layout.generation(name, generation).site, { recursive: true });
      await symlink(layout.pointerTarget(name, 'one'), layout.pointer(name));
    }
    const { differences } = await reader.read(new Map());
    versions = new Map(differences.map(([name, version]) => [name, version ?? assert.fail(name)]));
    assert.equal(versions.size, names.length);
  });
  after(() => removeAll([docs]));

  it('drops no version when the whole directory disappears meanwhile', async () => {
    for (let turns = 0; turns < 10; turns++) {
      const gone = reader.read(versions).then(
        ({ differences }) => differences.filter(([, version]) => version === undefined),
        ({ code }) => code,
      );
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      await rename(docs, `${docs}.away`);
      const outcome = await gone;
      await rename(`${docs}.away`, docs);
      if (outcome !== 'ENOENT') assert.deepEqual(outcome, []);
    }
  });

  it('keeps a version whose symlink is replaced meanwhile', async () => {
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
    for (let round = 0; round < 20; round++) {
      const { differences } = await reader.read(versions);
      assert.ok(differences.every(([, version]) => version !== undefined));
    }
    isDone = true;
    await replacing;
  });
});
