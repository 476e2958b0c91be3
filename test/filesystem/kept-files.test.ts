import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { type Disk, nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import type { StoredFile } from '../../src/application/index.js';
import { SitePath } from '../../src/domain/index.js';
import { firstLineDocinfo, idOf, publish, textOf, versionOf } from '../contracts/doc-store.js';
import { openFilesBelow } from '../support/open-files.js';
import { tree } from '../support/tree.js';
import { until } from '../support/until.js';
import { archives, makeDirectory, openStore, removeAll, site, upload, writeSite } from './crash-world.js';
import { FaultyDisk } from './faulty-disk.js';

describe('In a docs directory', () => {
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
  after(() => archives.close());

  it('a document stays outside of versions, and a refused name leaves nothing on the disk', async () => {
    await store.documents.write('a', 'settings', '{}');
    const before = await tree(docs);
    await assert.rejects(store.documents.write('a', '../../x', 'x'), RangeError);
    await assert.rejects(store.documents.write('../x', 'settings', 'x'), RangeError);
    assert.deepEqual(await tree(docs), before);
    assert.deepEqual(await readdir(docs), ['.lectern']);
  });

  it('a document is the old one or the new one after each failure while it is written', async () => {
    await store.documents.write('a', 'settings', 'old');
    const faulty = new FaultyDisk();
    const failing = await openStore(docs, faulty);
    faulty.arm();
    await failing.documents.write('a', 'settings', 'old');
    const calls = faulty.calls.length;
    for (let at = 1; at <= calls; at++) {
      faulty.arm(at, 'EIO');
      await assert.rejects(failing.documents.write('a', 'settings', 'new'), { code: 'unavailable' });
      faulty.arm();
      assert.match((await store.documents.read('a', 'settings')) ?? '', /^(old|new)$/);
      assert.deepEqual(await readdir(join(docs, '.lectern/incoming')), []);
      await failing.documents.write('a', 'settings', 'old');
    }
    faulty.arm();
    await failing.close();
  });

  it('documents of one project, written and removed at once by two processes, leave nothing half', async () => {
    const other = await openStore(docs);
    const writeAll = async (by: FilesystemDocStore) => {
      for (let round = 0; round < 25; round++) {
        await by.documents.write('a', 'settings', `${round}`);
        await by.documents.write('a', 'settings', undefined);
      }
    };
    await Promise.all([writeAll(store), writeAll(other)]);
    assert.equal(await store.documents.read('a', 'settings'), undefined);
    assert.deepEqual(await readdir(join(docs, '.lectern/projects')), []);
    await other.close();
  });

  it('a refused name of a derived file leaves nothing on the disk', async () => {
    const { revision } = (await publish(store, 'a-1.0', { 'index.html': '' })).version;
    const before = await tree(docs);
    await assert.rejects(store.derived.write(revision, '../x', content('x')), RangeError);
    await assert.rejects(store.derived.write('../sites', 'index', content('x')), RangeError);
    assert.deepEqual(await tree(docs), before);
  });

  it('derived files go with a replacement, and one that comes too late for its publication', async () => {
    const { revision } = (await publish(store, 'a-1.0', { 'index.html': '' })).version;
    await store.derived.write(revision, 'index', content('an index'));
    await publish(store, 'a-1.0', { 'index.html': 'new' }, { replace: true });
    await until(async () => (await store.derived.open(revision, 'index')) === undefined);
    await store.derived.write(revision, 'index', content('too late'));
    assert.equal(await store.derived.open(revision, 'index'), undefined);
    assert.deepEqual(await readdir(join(docs, '.lectern/derived')), []);
  });

  it('derived files of versions that went while no server ran are swept by the next start', async () => {
    const { revision } = (await publish(store, 'a-1.0', { 'index.html': '' })).version;
    await store.derived.write(revision, 'index', content('an index'));
    await store.close();
    await mkdir(join(docs, '.lectern/derived/other-0123456789.1'));
    await mkdir(join(docs, '.lectern/derived/lost+found'));
    store = await openStore(docs);
    assert.deepEqual((await readdir(join(docs, '.lectern/derived'))).sort(), [revision, 'lost+found'].sort());
  });

  it('a version that is replaced in the midst of a removal of the one before stays', async () => {
    const first = await publish(store, 'a-1.0', { 'index.html': 'first' });
    let replacing: Promise<unknown> = Promise.resolve();
    const disk: Disk = {
      ...nodeDisk,
      // The revision has been compared, and the pointer goes next.
      unlink: async (path) => {
        if (path === join(docs, 'a-1.0')) {
          replacing = publish(store, 'a-1.0', { 'index.html': 'second' }, { replace: true });
          await Promise.race([replacing, new Promise((resolve) => setTimeout(resolve, 300))]);
        }
        return nodeDisk.unlink(path);
      },
    };
    const other = await FilesystemDocStore.open(docs, { archives, readDocinfo: firstLineDocinfo, disk });
    await other.remove(idOf('a-1.0'), { revision: first.version.revision });
    await replacing;
    assert.equal(await readFile(join(docs, 'a-1.0/index.html'), 'utf8'), 'second');
    await other.close();
  });

  it('a version that is replaced and removed at once by two processes is the new one in the end', async () => {
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

  it('a version is removed that another process has published just now, and a file of its name is not', async () => {
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

  for (const size of [0, 1, 64 * 1024, 64 * 1024 + 1, 256 * 1024, 700_001]) {
    it(`a file of ${size} bytes is read in parts and as a whole, and leaves no file open`, async () => {
      const text = Array.from({ length: Math.ceil(size / 8) }, (_, i) => String(i).padStart(8, '.'))
        .join('')
        .slice(0, size);
      await publish(store, 'a-1.0', { 'big.txt': text });
      const before = (await openFilesBelow(docs)).length;
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
      assert.equal((await openFilesBelow(docs)).length, before);
    });
  }

  it('a copied-in file that shrinks while it is sent ends with an error, one that grows with the announced bytes', async () => {
    await writeSite(join(docs, 'a-1.0'), { 'big.txt': 'x'.repeat(600_000) });
    await until(() => store.catalogue().version('a-1.0') !== undefined);
    const growing = await open('big.txt');
    await appendFile(join(docs, 'a-1.0/big.txt'), 'more');
    assert.equal((await textOf(copied(growing))).length, 600_000);
    const shrinking = await open('big.txt');
    await truncate(join(docs, 'a-1.0/big.txt'), 300_000);
    await assert.rejects(textOf(shrinking), /ended before the bytes that were announced/);
  });

  it('a file of an uploaded version has a path for web servers, and nothing else has', async () => {
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
