import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Disk, nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import type { StoredFile } from '../../src/application/index.js';
import { NO_SETTINGS, SitePath, withAlias, withDescription } from '../../src/domain/index.js';
import { idOf, publish, textOf, versionOf } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { openFilesBelow } from '../support/open-files.js';
import { tree } from '../support/tree.js';
import { until } from '../support/until.js';
import { archives, makeDirectory, openStore, removeAll, site, upload, writeSite } from './crash-world.js';

describe('The files in a docs directory', () => {
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

  const SET = withAlias(NO_SETTINGS, 'stable', '1.0');
  const settingsFile = () => join(docs, '.lectern/projects/a.json');

  it('include one settings file of a project, removed when nothing is set', async () => {
    await store.changeSettings('a', () => SET);
    assert.deepEqual(await readdir(join(docs, '.lectern/projects')), ['a.json']);
    assert.deepEqual(JSON.parse(await readFile(settingsFile(), 'utf8')), { aliases: { stable: '1.0' } });
    const before = await tree(docs);
    await assert.rejects(
      store.changeSettings('../x', () => SET),
      RangeError,
    );
    assert.deepEqual(await tree(docs), before);
    await store.changeSettings('a', () => NO_SETTINGS);
    assert.deepEqual(await readdir(join(docs, '.lectern/projects')), []);
  });

  it('include a separate description file of a project, in a directory created with the first one', async () => {
    const about = { title: 'A', tags: ['sdk'] };
    assert.equal(existsSync(join(docs, '.lectern/about')), false);
    await store.changeSettings('a', () => withDescription(SET, about));
    assert.deepEqual(await readdir(join(docs, '.lectern/about')), ['a.json']);
    assert.deepEqual(JSON.parse(await readFile(join(docs, '.lectern/about/a.json'), 'utf8')), about);
    // Releases that do not know it read the other settings.
    assert.deepEqual(JSON.parse(await readFile(settingsFile(), 'utf8')), { aliases: { stable: '1.0' } });
    const another = await openStore(docs);
    assert.deepEqual(another.catalogue().settingsOf('a'), { ...SET, about });
    await store.changeSettings('a', () => withDescription(NO_SETTINGS, { title: 'B' }));
    assert.deepEqual(await readdir(join(docs, '.lectern/projects')), []);
    await until(() => another.catalogue().settingsOf('a').about?.title === 'B');
    await store.changeSettings('a', () => NO_SETTINGS);
    assert.deepEqual(await readdir(join(docs, '.lectern/about')), []);
    await another.close();
  });

  it('keep an unreadable description, which changes nothing and is named in the log', async () => {
    const about = { title: 'A' };
    await store.changeSettings('a', () => withDescription(SET, about));
    const file = join(docs, '.lectern/about/a.json');
    await writeFile(join(docs, '.coming'), '{"title":"A","colour":"red"}');
    await rename(join(docs, '.coming'), file);
    await assert.rejects(
      store.changeSettings('a', () => NO_SETTINGS),
      { code: 'unavailable', message: /about\.colour: unknown field/ },
    );
    assert.deepEqual(store.catalogue().settingsOf('a'), { ...SET, about });
    assert.equal(await readFile(file, 'utf8'), '{"title":"A","colour":"red"}');
  });

  it('keep settings of another release or with a mistake, which are logged once and never overwritten', async () => {
    const reports: object[] = [];
    const watching = await openStore(docs, undefined, (message, fields) =>
      reports.push({ message, ...fields }),
    );
    await store.changeSettings('a', () => SET);
    await until(() => watching.catalogue().settingsOf('a').aliases.size === 1);
    for (const [text, problem] of [
      ['{"aliases":{"stable":"1.0"},"colour":"red"}', 'colour: unknown field'],
      ['{"aliases":', 'expected JSON'],
    ] as const) {
      await writeFile(join(docs, '.coming'), text);
      await rename(join(docs, '.coming'), settingsFile());
      await until(() => reports.length > 0);
      const message = 'cannot read the settings of a project; they were not changed';
      assert.deepEqual(reports.splice(0), [{ message, project: 'a', problem }]);
      assert.deepEqual(watching.catalogue().settingsOf('a'), SET);
      const change = watching.changeSettings('a', () => NO_SETTINGS);
      await assert.rejects(change, { code: 'unavailable', message: new RegExp(problem) });
      assert.equal(await readFile(settingsFile(), 'utf8'), text);
    }
    await watching.close();
  });

  it('include foreign files beside project settings', async () => {
    for (const name of ['.hidden.json', 'notes.txt', 'a b.json']) {
      await writeFile(join(docs, '.lectern/projects', name), '{"hidden":["1.0"]}');
    }
    const another = await openStore(docs);
    assert.deepEqual([...another.catalogue().settings.keys()], []);
    await another.close();
  });

  it('include nothing for a refused name of a derived file', async () => {
    const { revision } = (await publish(store, 'a-1.0', { 'index.html': '' })).version;
    const before = await tree(docs);
    await assert.rejects(store.derived.write(revision, '../x', content('x')), RangeError);
    await assert.rejects(store.derived.write('../sites', 'index', content('x')), RangeError);
    assert.deepEqual(await tree(docs), before);
  });

  it('lose derived files with a replacement, and reject one that comes too late', async () => {
    const { revision } = (await publish(store, 'a-1.0', { 'index.html': '' })).version;
    await store.derived.write(revision, 'index', content('an index'));
    await publish(store, 'a-1.0', { 'index.html': 'new' }, { replace: true });
    await until(async () => (await store.derived.open(revision, 'index')) === undefined);
    await store.derived.write(revision, 'index', content('too late'));
    assert.equal(await store.derived.open(revision, 'index'), undefined);
    assert.deepEqual(await readdir(join(docs, '.lectern/derived')), []);
  });

  it('lose derived files of versions removed while no server ran, at the next start', async () => {
    const { revision } = (await publish(store, 'a-1.0', { 'index.html': '' })).version;
    await store.derived.write(revision, 'index', content('an index'));
    await store.close();
    await mkdir(join(docs, '.lectern/derived/other-0123456789.1'));
    await mkdir(join(docs, '.lectern/derived/lost+found'));
    store = await openStore(docs);
    assert.deepEqual((await readdir(join(docs, '.lectern/derived'))).sort(), [revision, 'lost+found'].sort());
  });

  it('keep a version that is replaced during a removal of the version before', async () => {
    const first = await publish(store, 'a-1.0', { 'index.html': 'first' });
    const openOn = (disk: Disk) =>
      FilesystemDocStore.open(docs, { archives, readDocinfo: firstLineDocinfo, disk });
    let isLocked = () => {};
    const locked = new Promise<void>((resolve) => {
      isLocked = resolve;
    });
    const replacer = await openOn({
      ...nodeDisk,
      rename: (...names) =>
        nodeDisk.rename(...names).catch((error: unknown) => {
          if (String(names[1]).startsWith(join(docs, '.lectern/locks/'))) isLocked();
          throw error;
        }),
    });
    let replacing: Promise<unknown> = Promise.resolve();
    const other = await openOn({
      ...nodeDisk,
      // The revision has been compared, and the pointer goes next.
      unlink: async (path) => {
        if (path === join(docs, 'a-1.0')) {
          replacing = publish(replacer, 'a-1.0', { 'index.html': 'second' }, { replace: true });
          await Promise.race([replacing, locked]);
        }
        return nodeDisk.unlink(path);
      },
    });
    await other.remove(idOf('a-1.0'), { revision: first.version.revision });
    await replacing;
    assert.equal(await readFile(join(docs, 'a-1.0/index.html'), 'utf8'), 'second');
    await other.close();
    await replacer.close();
  });

  it('keep the new version when two processes replace and remove at once', async () => {
    const other = await openStore(docs);
    for (let round = 0; round < 15; round++) {
      const first = await publish(store, 'a-1.0', { 'index.html': 'first' }, { replace: true });
      const [second, removal] = await Promise.allSettled([
        publish(store, 'a-1.0', { 'index.html': 'second' }, { replace: true }),
        other.remove(idOf('a-1.0'), { revision: first.version.revision }),
      ]);
      assert.equal(second.status, 'fulfilled');
      if (removal.status === 'rejected') assert.equal(removal.reason.code, 'version_not_found');
      assert.equal(await readFile(join(docs, 'a-1.0/index.html'), 'utf8'), 'second');
    }
    await other.close();
  });

  it('lose a removed version just published by another process, but no file of its name', async () => {
    const other = await openStore(docs);
    const slow = await FilesystemDocStore.open(docs, { archives, readDocinfo: firstLineDocinfo });
    await upload(other, 'a-1.0', site('one'));
    await slow.remove(idOf('a-1.0'));
    assert.equal(existsSync(join(docs, 'a-1.0')), false);
    await writeFile(join(docs, 'a-1.0'), 'no version');
    await assert.rejects(slow.remove(idOf('a-1.0')), { code: 'project_not_found' });
    assert.ok(existsSync(join(docs, 'a-1.0')));
    await slow.close();
    await other.close();
  });

  it('are retried when their removal fails, logged once, and removed in the end', async () => {
    let isBlocked = true;
    let attempts = 0;
    const disk: Disk = {
      ...nodeDisk,
      rm: async (path, options) => {
        if (isBlocked && String(path).startsWith(join(docs, '.lectern/trash/'))) {
          attempts += 1;
          throw Object.assign(new Error('not permitted'), { code: 'EACCES' });
        }
        return nodeDisk.rm(path, options);
      },
    };
    const reports: string[] = [];
    const report = (message: string) => void reports.push(message);
    const hindered = await FilesystemDocStore.open(docs, {
      archives,
      readDocinfo: firstLineDocinfo,
      disk,
      report,
      graceMs: 0,
    });
    await upload(hindered, 'a-1.0', site('one'));
    await hindered.remove(idOf('a-1.0'));
    await until(() => attempts >= 3);
    isBlocked = false;
    await until(async () => (await readdir(join(docs, '.lectern/trash'))).length === 0);
    assert.deepEqual(reports, ['could not remove unused files; trying again later']);
    await hindered.close();
  });

  for (const size of [0, 1, 64 * 1024, 64 * 1024 + 1, 256 * 1024, 700_001]) {
    it(`are read in parts and as a whole at ${size} bytes, and leave no file open`, async () => {
      const text = Array.from({ length: Math.ceil(size / 8) }, (_, i) => String(i).padStart(8, '.'))
        .join('')
        .slice(0, size);
      await publish(store, 'a-1.0', { 'big.txt': text });
      assert.equal(await textOf(copied(await open('big.txt'))), text);
      const ranges = [
        [0, 0],
        [size - 1, size - 1],
        [1, size - 2],
        [300_000, 600_000],
      ] as const;
      for (const [start, end] of ranges) {
        if (start < 0 || end < start || end >= size) continue;
        assert.equal(await textOf(copied(await open('big.txt')), { start, end }), text.slice(start, end + 1));
      }
      for await (const chunk of (await open('big.txt')).stream()) {
        assert.ok(chunk.length <= 256 * 1024);
        break;
      }
      const unread = await open('big.txt');
      await unread.close();
      await unread.close();
      const begun = (await open('big.txt')).stream()[Symbol.asyncIterator]();
      await begun.return?.();
      const [closing, reading] = [await open('big.txt'), await open('big.txt')];
      const next = closing.stream()[Symbol.asyncIterator]().next();
      await closing.close();
      await next;
      await reading.close();
      // Other files may be open: the store looks after its directory meanwhile.
      const left = (await openFilesBelow(docs)).filter((file) => file.endsWith('/big.txt'));
      assert.deepEqual(left, []);
    });
  }

  it('fail in transit when a copied-in file shrinks, and end at the announced size when it grows', async () => {
    await writeSite(join(docs, 'a-1.0'), { 'big.txt': 'x'.repeat(600_000) });
    await until(() => store.catalogue().version('a-1.0') !== undefined);
    const growing = await open('big.txt');
    await appendFile(join(docs, 'a-1.0/big.txt'), 'more');
    assert.equal((await textOf(copied(growing))).length, 600_000);
    const shrinking = await open('big.txt');
    await truncate(join(docs, 'a-1.0/big.txt'), 300_000);
    await assert.rejects(textOf(shrinking), /ended before the bytes that were announced/);
  });

  it('have a path for web servers only in an uploaded version', async () => {
    await upload(store, 'a-1.0', site('one'));
    await writeSite(join(docs, 'b-1.0'), site('hand'));
    await until(() => store.catalogue().version('b-1.0') !== undefined);
    const [generation] = await readdir(join(docs, '.lectern/sites/a-1.0'));
    const page = await open('a/b.html');
    assert.equal(store.localPath(page), `.lectern/sites/a-1.0/${generation}/site/a/b.html`);
    const archive = await store.openArchive(await versionOf(store, 'a-1.0'));
    assert.equal(store.localPath(archive), `.lectern/sites/a-1.0/${generation}/archive.zip`);
    await archive.close();
    const hand = await open('a/b.html', 'b-1.0');
    assert.equal(store.localPath(hand), undefined);
    await hand.close();
    const packed = await store.openArchive(await versionOf(store, 'b-1.0'));
    assert.equal(store.localPath(packed), undefined);
    await packed.close();
  });

  async function open(path: string, version = 'a-1.0'): Promise<StoredFile> {
    const entry = await store.open(await versionOf(store, version), SitePath.of(path) ?? assert.fail(path));
    return entry?.kind === 'file' ? entry.file : assert.fail(path);
  }
});

/** The same file, with chunks that stay valid. */
function copied(file: StoredFile): StoredFile {
  return {
    ...file,
    size: file.size,
    close: () => file.close(),
    async *stream(range) {
      for await (const chunk of file.stream(range)) yield Buffer.from(chunk);
    },
  };
}

async function* content(text: string) {
  yield Buffer.from(text);
}
