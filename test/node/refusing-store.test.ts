import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { bytesOf, type EncodedFile, type StoredFile } from '../../src/application/index.js';
import { Refusal, refuse, SitePath, type Version } from '../../src/domain/index.js';
import { refusingStore } from '../../src/node/refusing-store.js';
import { publish } from '../contracts/doc-store.js';

/** An error of the storage: it fails whatever is not expected to. */
class Broken extends Error {}

const refusalOf = (error: unknown) =>
  error instanceof Broken ? refuse.storageUnavailable({ cause: error }) : error;
const UNAVAILABLE = { code: 'unavailable' };

async function broken(): Promise<never> {
  throw new Broken();
}

/** A store of which all fails that could, once it is broken, and that has an ability beside the port. */
class BreakingStore extends MemoryDocStore {
  isBroken = false;
  readonly name = 'a field';

  get status(): string {
    return this.isBroken ? 'broken' : 'fine';
  }

  nameOf(text: string): string {
    return `${this.name} ${text}`;
  }

  async freeBytes(): Promise<number> {
    return this.isBroken ? broken() : 7;
  }

  override async open(version: Version, path: SitePath) {
    if (this.isBroken) return broken();
    const entry = await super.open(version, path);
    return entry?.kind === 'file' ? { kind: 'file' as const, file: failingFile() } : entry;
  }

  override async openArchive(_version: Version) {
    return this.isBroken ? broken() : failingFile();
  }
}

function failingFile(): StoredFile {
  const stream = async function* () {
    yield Buffer.from('a');
    throw new Broken();
  };
  const close = async () => {};
  const encoded: EncodedFile = { size: 9, stream, close, distrust() {} };
  return {
    size: 9,
    modifiedAt: new Date(0),
    etag: 'e',
    close,
    stream,
    gzipped: async () => encoded,
  };
}

async function opened(options?: { readonly refusesInStreams: boolean }) {
  const target = new BreakingStore();
  await publish(target, 'a-1.0', { 'index.html': 'x' });
  const store = refusingStore(target, refusalOf, options);
  return { target, store, version: store.catalogue().version('a-1.0') ?? assert.fail() };
}

const PAGE = SitePath.of('index.html') ?? assert.fail();

async function filesOf({ store, version }: Awaited<ReturnType<typeof opened>>) {
  const entry = await store.open(version, PAGE);
  const page = entry?.kind === 'file' ? entry.file : assert.fail();
  return [page, await store.openArchive(version), (await page.gzipped?.()) ?? assert.fail()];
}

describe('A store whose errors are refusals', () => {
  it('has the class, the fields and the abilities of the store', async () => {
    const { store, target } = await opened();
    assert.ok(store instanceof BreakingStore);
    assert.equal(store.catalogue(), target.catalogue());
    assert.deepEqual([store.status, store.nameOf('x'), await store.freeBytes()], ['fine', 'a field x', 7]);
    target.isBroken = true;
    assert.equal(store.status, 'broken');
  });

  it('refuses in all its methods, and those of its abilities, what the storage fails', async () => {
    const { store, target, version } = await opened();
    target.isBroken = true;
    await assert.rejects(store.open(version, PAGE), UNAVAILABLE);
    await assert.rejects(store.openArchive(version), UNAVAILABLE);
    await assert.rejects(store.freeBytes(), UNAVAILABLE);
    await assert.rejects(target.freeBytes(), Broken);
  });

  it('leaves other errors as they are', async () => {
    const { store, version } = await opened();
    const other = new Error('a bug');
    const confirm = () => {
      throw other;
    };
    await assert.rejects(store.remove(version, { confirm }), other);
    await assert.rejects(store.derived.open('no revision', 'a'), RangeError);
    assert.ok(store.catalogue().version('a-1.0'));
  });

  it('refuses what fails while its files are read, where that is asked for', async () => {
    for (const file of await filesOf(await opened({ refusesInStreams: true }))) {
      assert.equal(file.size, 9);
      await assert.rejects(bytesOf(file.stream()), (error) => error instanceof Refusal);
    }
    for (const file of await filesOf(await opened())) await assert.rejects(bytesOf(file.stream()), Broken);
  });

  it('refuses in its stagings and derived files, and takes its own stagings back', async () => {
    const { store, target } = await opened();
    const staging = await store.stage();
    async function* content() {
      yield Buffer.from('x');
      throw new Broken();
    }
    await assert.rejects(staging.receive(content(), 100), UNAVAILABLE);
    await staging.discard();
    target.derived.open = broken;
    await assert.rejects(refusingStore(target, refusalOf).derived.open('r', 'a'), UNAVAILABLE);
    await publish(store, 'a-2.0', { 'index.html': 'y' });
    assert.ok(target.catalogue().version('a-2.0'));
  });
});
