import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreRefused, StoreUnavailable } from '../../src/adapters/object-store/client/store-errors.js';
import type { OpenObjectStore } from '../../src/adapters/object-store/index.js';
import { UnknownFormat } from '../../src/adapters/object-store/log/commit.js';
import { LogBroken } from '../../src/adapters/object-store/log/commit-log.js';
import { refusingStore } from '../../src/adapters/object-store/open-object-store.js';
import { bytesOf, NO_ARCHIVE_LIMITS, type StoredFile } from '../../src/application/index.js';
import { SitePath } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { noArchives } from '../support/no-archives.js';
import type { Promised } from '../support/promised.js';
import { openNode } from './support.js';

/** The methods that may fail. The compiler misses one that comes later. */
const METHODS: Readonly<Record<Promised<OpenObjectStore>, true>> = {
  hasPrivate: true,
  stage: true,
  publish: true,
  remove: true,
  restore: true,
  removed: true,
  removals: true,
  changeSettings: true,
  madeTokens: true,
  changeMadeTokens: true,
  open: true,
  listFiles: true,
  checksums: true,
  openArchive: true,
  downloadUrl: true,
  freeBytes: true,
  diskUse: true,
  judgeClock: true,
  clearUp: true,
  close: true,
};

const full = Object.assign(new Error('write failed'), { code: 'ENOSPC' });
/** Errors with the refusals that they are, and one that is none of the storage. */
const ERRORS: readonly (readonly [error: Error, expected: object])[] = [
  [new StoreUnavailable('the store did not answer'), { code: 'unavailable' }],
  [new StoreRefused('the store refused', 403), { code: 'unavailable', message: /^The object store / }],
  [new UnknownFormat('commit 3'), { code: 'unavailable', message: /^The object store / }],
  [
    new LogBroken('commit 3 is missing'),
    { code: 'unavailable', message: /^The log of the object store is incomplete/ },
  ],
  [full, { code: 'insufficient_storage', cause: full }],
  [new Error('a bug'), { message: 'a bug', name: 'Error' }],
];

/** A store of which all fails that can, in either way. */
function failing(fail: () => Promise<never>): OpenObjectStore {
  const methods = Object.fromEntries(Object.keys(METHODS).map((name) => [name, fail]));
  return { derived: { open: fail, write: fail }, ...methods } as unknown as OpenObjectStore;
}

describe('A failing object store', () => {
  for (const [error, expected] of ERRORS) {
    it(`turns each method's failure into a refusal, and of derived files: ${error.name}, ${error.message}`, async () => {
      for (const fail of [() => Promise.reject(error), () => assert.fail(error)]) {
        const store = refusingStore(failing(fail));
        for (const name of Object.keys(METHODS))
          await assert.rejects(store[name as 'removed'](), expected, name);
        await assert.rejects(store.derived.open('r', 'a'), expected);
        await assert.rejects(store.derived.write('r', 'a', (async function* () {})()), expected);
      }
    });
  }

  it('turns failures in later reads of pages, archives and derived files into refusals', async (t) => {
    const bucket = new Map();
    const first = await openNode(t, bucket);
    await publish(first.store, 'a-1.0', { 'index.html': 'x'.repeat(100) });
    const { store, client } = await openNode(t, bucket, { cacheBytes: 0 });
    const version = store.catalogue().version('a-1.0') ?? assert.fail();
    await store.derived.write(
      version.revision,
      'words',
      (async function* () {
        yield Buffer.from('words');
      })(),
    );
    const entry = await store.open(version, SitePath.of('index.html') ?? assert.fail());
    const page: StoredFile = entry?.kind === 'file' ? entry.file : assert.fail();
    const derived = (await store.derived.open(version.revision, 'words')) ?? assert.fail();
    const files = [page, await store.openArchive(version), derived];
    client.faults = () => 'before';
    for (const file of files)
      await assert.rejects(bytesOf(file.stream()), { name: 'Refusal', code: 'unavailable' });
  });

  it('turns failures of stagings into refusals', async (t) => {
    const { store } = await openNode(t, new Map());
    const staging = await store.stage();
    async function* content(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x');
      throw full;
    }
    await assert.rejects(staging.receive(content(), 100), { code: 'insufficient_storage' });
    const archives = { ...noArchives, index: () => Promise.reject(full) };
    await assert.rejects(staging.prepare(archives, NO_ARCHIVE_LIMITS), { code: 'insufficient_storage' });
    await staging.discard();
  });
});
