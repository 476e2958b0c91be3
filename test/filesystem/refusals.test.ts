import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { LastRound } from '../../src/adapters/filesystem/housekeeping/last-round.js';
import { Lease } from '../../src/adapters/filesystem/housekeeping/lease.js';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { FilesystemMadeTokens } from '../../src/adapters/filesystem/made-tokens.js';
import { PublicLinks } from '../../src/adapters/filesystem/publishing/public-links.js';
import { Publications } from '../../src/adapters/filesystem/publishing/publications.js';
import { SettingsWriter } from '../../src/adapters/filesystem/publishing/settings-writer.js';
import { SiteReader } from '../../src/adapters/filesystem/reading/site-reader.js';
import { RemovedSizes } from '../../src/adapters/filesystem/removed/removed-sizes.js';
import { RemovedVersions } from '../../src/adapters/filesystem/removed/removed-versions.js';
import { Restoration } from '../../src/adapters/filesystem/removed/restoration.js';
import { NO_ARCHIVE_LIMITS } from '../../src/application/index.js';
import { noArchives } from '../support/no-archives.js';
import type { Promised } from '../support/promised.js';
import { makeDirectory, openStore } from './crash-world.js';
import { FaultyDisk } from './faulty-disk.js';

/** All but those that a disk fails below, and `close`. */
type Method = Exclude<
  Promised<FilesystemDocStore>,
  'hasPrivate' | 'stage' | 'freeBytes' | 'isFirst' | 'close'
>;

/** The part that does a method's work. The compiler misses a method that comes later. */
const WORK: Readonly<Record<Method, readonly [part: object, method: string]>> = {
  publish: [Publications.prototype, 'publish'],
  remove: [Publications.prototype, 'remove'],
  restore: [Restoration.prototype, 'restore'],
  removed: [RemovedVersions.prototype, 'list'],
  removals: [RemovedVersions.prototype, 'removals'],
  clearUp: [RemovedVersions.prototype, 'expire'],
  changeSettings: [SettingsWriter.prototype, 'change'],
  madeTokens: [FilesystemMadeTokens.prototype, 'read'],
  changeMadeTokens: [FilesystemMadeTokens.prototype, 'change'],
  open: [SiteReader.prototype, 'open'],
  listFiles: [SiteReader.prototype, 'listFiles'],
  checksums: [SiteReader.prototype, 'checksums'],
  openArchive: [SiteReader.prototype, 'openArchive'],
  diskUse: [RemovedSizes.prototype, 'of'],
  judgeClock: [LastRound.prototype, 'judge'],
  showInPublic: [PublicLinks.prototype, 'showTo'],
};

/** Errors of the disk with the refusals that they are, and one that is none of the disk. */
const ERRORS: readonly (readonly [error: Error, expected: object])[] = [
  [failure('ENOSPC'), { code: 'insufficient_storage' }],
  [failure('EIO'), { code: 'unavailable' }],
  [failure('ENOENT'), { code: 'unavailable' }],
  [new Error('a bug'), { message: 'a bug', name: 'Error' }],
];

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: made up`), { code });
}

async function open(t: TestContext, disk?: FaultyDisk) {
  const docs = await makeDirectory();
  const store = await openStore(docs, disk);
  t.after(() => rm(docs, { recursive: true }));
  t.after(() => store.close());
  return { docs, store };
}

async function* content() {
  yield Buffer.from('x');
}

describe('A directory whose disk fails', () => {
  for (const [name, [part, work]] of Object.entries(WORK) as [Method, (typeof WORK)[Method]][]) {
    it(`turns ${name} into a refusal, and leaves other errors unchanged`, async (t) => {
      const { store } = await open(t);
      for (const [error, expected] of ERRORS) {
        for (const fail of [() => Promise.reject(error), () => assert.fail(error)]) {
          const { mock } = t.mock.method(part as Record<string, () => unknown>, work, fail);
          await assert.rejects(store[name as 'removed'](), expected);
          mock.restore();
        }
      }
    });
  }

  it('turns a failure of close into a refusal', async (t) => {
    const docs = await makeDirectory();
    t.after(() => rm(docs, { recursive: true }));
    const store = await openStore(docs);
    const closing = t.mock.method(Lease.prototype, 'giveBack', async function (this: Lease) {
      this.stop();
      throw failure('EIO');
    });
    await assert.rejects(store.close(), { code: 'unavailable' });
    assert.equal(closing.mock.callCount(), 1);
  });

  it('turns failures of its abilities, stagings and derived files into refusals', async (t) => {
    const faulty = new FaultyDisk();
    const { docs, store } = await open(t, faulty);
    const [one, other] = [await store.stage(), await store.stage()];
    faulty.arm(1, 'ENOSPC');
    await assert.rejects(one.receive(content(), 100), { code: 'insufficient_storage' });
    const archives = { ...noArchives, unpack: () => Promise.reject(failure('EIO')) };
    await assert.rejects(other.prepare(archives, NO_ARCHIVE_LIMITS), { code: 'unavailable' });
    faulty.arm(1, 'EIO');
    await assert.rejects(store.derived.write('r', 'a', content()), { code: 'unavailable' });
    await assert.rejects(store.derived.write('r', '../a', content()), RangeError);
    await assert.rejects(store.derived.open('r', '../a'), RangeError);
    for (const staging of [one, other]) await staging.discard();
    assert.deepEqual(await readdir(join(docs, '.lectern/incoming')), []);

    const socket = createServer();
    await rm(join(docs, '.lectern/format'));
    await once(socket.listen(join(docs, '.lectern/format')), 'listening');
    await assert.rejects(store.hasPrivate(), { code: 'unavailable' });
    await once(socket.close(), 'close');
    await rm(join(docs, '.lectern/running'), { recursive: true });
    await writeFile(join(docs, '.lectern/running'), '');
    await assert.rejects(store.isFirst(), { code: 'unavailable' });
    await rm(join(docs, '.lectern/running'));
    await rename(docs, `${docs}.away`);
    await assert.rejects(store.stage(), { code: 'unavailable' });
    await assert.rejects(store.freeBytes(), { code: 'unavailable' });
    await rename(`${docs}.away`, docs);
  });
});
