import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ArchiveIndex } from '../../src/formats/index.js';
import { publish, readPage, textOf, versionOf } from '../contracts/doc-store.js';
import type { MemoryBucket } from '../support/memory-object-client.js';
import { until } from '../support/until.js';
import { openNode, temporaryDirectory } from './support.js';

/** A bucket with a version whose archive has 1,000 bytes, published by a node that is gone. */
async function publishedBucket(t: TestContext, ...names: string[]): Promise<MemoryBucket> {
  const bucket: MemoryBucket = new Map();
  const { store } = await openNode(t, bucket);
  for (const name of names) await publish(store, name, siteOf(name));
  await store.close();
  return bucket;
}

/** Content of an archive besides its index, for tests that need only the index. */
const NO_CONTENT = { facts: { site: { files: 0, bytes: 0 } }, hasIndex: false };

const siteOf = (name: string) => ({ 'index.html': name.padEnd(990), 'b.html': 'b'.repeat(10) });

async function archivesIn(directory: string): Promise<string[]> {
  return readdir(join(directory, 'archives'));
}

describe('The cache of archives', () => {
  it('fetches an archive after the third read in a minute, and then reads from the copy', async (t) => {
    const bucket = await publishedBucket(t, 'a-1.0');
    const cacheDirectory = await temporaryDirectory(t);
    const { store, client } = await openNode(t, bucket, { cacheDirectory });
    let ranges = 0;
    client.faults = (operation, key) => {
      if (operation === 'get' && key.startsWith('archive/')) ranges += 1;
      return undefined;
    };
    for (let read = 1; read <= 2; read++) await readPage(store, 'a-1.0', 'index.html');
    assert.deepEqual(await archivesIn(cacheDirectory), []);
    await readPage(store, 'a-1.0', 'b.html');
    await until(async () => (await archivesIn(cacheDirectory)).length === 1);
    // The file is in place a moment before it is used.
    await until(() => store.status().cache.bytes > 0);
    const before = ranges;
    assert.equal(await readPage(store, 'a-1.0', 'index.html'), siteOf('a-1.0')['index.html']);
    assert.equal(
      await textOf(await store.openArchive(await versionOf(store, 'a-1.0'))),
      `${'a-1.0'.padEnd(990)}${'b'.repeat(10)}`,
    );
    assert.equal(ranges, before);
  });

  it('sends one request for the index of a version that many clients read for the first time', async (t) => {
    const { store, client } = await openNode(t, await publishedBucket(t, 'a-1.0'));
    let indexes = 0;
    client.faults = (operation, key) => {
      if (operation === 'get' && key.startsWith('index/')) indexes += 1;
      return undefined;
    };
    const pages = await Promise.all(Array.from({ length: 20 }, () => readPage(store, 'a-1.0', 'b.html')));
    assert.deepEqual(new Set(pages), new Set(['b'.repeat(10)]));
    assert.equal(indexes, 1);
  });

  it('holds the archives that this node published', async (t) => {
    const cacheDirectory = await temporaryDirectory(t);
    const { store, client } = await openNode(t, new Map(), { cacheDirectory });
    await publish(store, 'a-1.0', siteOf('a-1.0'));
    client.faults = (operation) => (operation === 'get' ? 'before' : undefined);
    await store.open(await versionOf(store, 'a-1.0'), await rootOf()).catch(() => {});
    assert.equal((await archivesIn(cacheDirectory)).length, 1);
  });

  it('survives removed, damaged or replaced files, and fetches them again', async (t) => {
    const bucket = await publishedBucket(t, 'a-1.0');
    const cacheDirectory = await temporaryDirectory(t);
    const { store, reported } = await openNode(t, bucket, { cacheDirectory });
    const read = () => readPage(store, 'a-1.0', 'index.html');
    const fill = async () => {
      // Reads go on: the cache removes a file that it gave up in the background, and may hit the one that it fetched since.
      await until(async () => {
        await read();
        return (await archivesIn(cacheDirectory)).length === 1;
      });
      // The file is in place a moment before it is used.
      await until(() => store.status().cache.bytes > 0);
    };
    await fill();
    const [name = ''] = await archivesIn(cacheDirectory);
    const file = join(cacheDirectory, 'archives', name);
    const whole = await readFile(file);
    for (const harm of [
      () => rm(file),
      () => writeFile(file, Buffer.from(whole).fill(0x78, 0, 10)),
      () => writeFile(file, 'short'),
      async () => {
        await rm(file);
        await mkdir(file);
      },
      () => rm(cacheDirectory, { recursive: true }),
    ]) {
      await harm();
      assert.equal(await read(), siteOf('a-1.0')['index.html'], String(harm));
      await mkdir(join(cacheDirectory, 'archives'), { recursive: true });
      await mkdir(join(cacheDirectory, 'incoming'), { recursive: true });
      // A damaged file is found by its hash, behind the read.
      await until(async () => !(await readFile(file).catch(() => whole)).equals(Buffer.from('short')));
      await rm(file, { recursive: true, force: true });
      await read();
      await fill();
      assert.deepEqual(await readFile(file), whole);
    }
    assert.ok(reported.some((message) => /damaged/.test(message)));
  });

  it('verifies the files of an earlier process before use', async (t) => {
    const bucket = await publishedBucket(t, 'a-1.0');
    const cacheDirectory = await temporaryDirectory(t);
    const first = await openNode(t, bucket, { cacheDirectory });
    for (let count = 0; count < 3; count++) await readPage(first.store, 'a-1.0', 'index.html');
    await until(async () => (await archivesIn(cacheDirectory)).length === 1);
    await first.store.close();
    const [name = ''] = await archivesIn(cacheDirectory);
    await writeFile(join(cacheDirectory, 'archives', name), 'x'.repeat(1_000));
    const second = await openNode(t, bucket, { cacheDirectory });
    assert.equal(await readPage(second.store, 'a-1.0', 'index.html'), siteOf('a-1.0')['index.html']);
    await until(() => second.reported.some((message) => /damaged/.test(message)));
    assert.equal(await readPage(second.store, 'a-1.0', 'index.html'), siteOf('a-1.0')['index.html']);
  });

  for (const [how, harm] of [
    ['exchanged', (file: string, other: string) => rename(other, file)],
    ['written to', async (file: string, other: string) => writeFile(file, await readFile(other))],
  ] as const) {
    it(`verifies a file again that was ${how}, despite equal size and time`, async (t) => {
      const cacheDirectory = await temporaryDirectory(t);
      const bucket: MemoryBucket = new Map();
      const first = await openNode(t, bucket, { cacheDirectory });
      await publish(first.store, 'a-1.0', siteOf('a-1.0'));
      await first.store.close();
      const [name = ''] = await archivesIn(cacheDirectory);
      const file = join(cacheDirectory, 'archives', name);
      // Whole seconds, so that exactly this time can be set again.
      await utimes(file, 1_000, 1_000);
      const { store, reported } = await openNode(t, bucket, { cacheDirectory });
      const whole = async () => textOf(await store.openArchive(await versionOf(store, 'a-1.0')));
      const right = await whole();
      await until(async () => (await whole()) === right && store.status().cache.hits > 0);
      const other = join(cacheDirectory, 'incoming', 'other');
      await writeFile(other, 'x'.repeat((await stat(file)).size));
      await harm(file, other);
      await utimes(file, 1_000, 1_000);
      assert.equal(await whole(), right);
      await until(() => reported.some((message) => /damaged/.test(message)));
    });
  }

  it('suffices for pages whose index this process has not read when the store is unreachable', async (t) => {
    const bucket = await publishedBucket(t, 'a-1.0', 'b-1.0');
    const cacheDirectory = await temporaryDirectory(t);
    const first = await openNode(t, bucket, { cacheDirectory });
    for (let count = 0; count < 3; count++) await readPage(first.store, 'a-1.0', 'index.html');
    await until(async () => (await archivesIn(cacheDirectory)).length === 1);
    const { revision } = await versionOf(first.store, 'a-1.0');
    await first.store.close();
    const index = bucket.get(`index/${revision}`)?.bytes.toString() ?? '';
    const file = join(cacheDirectory, 'archives', `${revision}.zip`);
    const indexed: string[] = [];
    const archives = {
      index: async (path: string) => {
        indexed.push(path);
        return { ...NO_CONTENT, index: ArchiveIndex.parse(index) ?? assert.fail('no index') };
      },
    };
    const second = await openNode(t, bucket, { cacheDirectory, archives });
    second.client.faults = () => 'before';
    for (let count = 0; count < 2; count++)
      assert.equal(await readPage(second.store, 'a-1.0', 'index.html'), siteOf('a-1.0')['index.html']);
    assert.deepEqual(indexed, [file]);
    await assert.rejects(readPage(second.store, 'b-1.0', 'index.html'), { code: 'unavailable' });
    await second.store.close();
    await writeFile(file, 'x'.repeat(1_000));
    const third = await openNode(t, bucket, { cacheDirectory, archives });
    third.client.faults = () => 'before';
    await assert.rejects(readPage(third.store, 'a-1.0', 'index.html'), { code: 'unavailable' });
    assert.deepEqual(indexed, [file]);
  });

  it('respects its size: it drops the least recently used archives, and fetches none larger than half of it', async (t) => {
    const names = ['a-1.0', 'b-1.0', 'c-1.0'];
    const bucket = await publishedBucket(t, ...names);
    const cacheDirectory = await temporaryDirectory(t);
    const { store } = await openNode(t, bucket, { cacheDirectory, cacheBytes: 2_500 });
    for (const [index, name] of names.entries()) {
      for (let count = 0; count < 3; count++) await readPage(store, name, 'index.html');
      const { revision } = await versionOf(store, name);
      await until(async () => (await archivesIn(cacheDirectory)).includes(`${revision}.zip`));
      await until(async () => (await archivesIn(cacheDirectory)).length <= Math.min(index + 1, 2));
    }
    const { revision } = await versionOf(store, 'a-1.0');
    assert.equal((await archivesIn(cacheDirectory)).includes(`${revision}.zip`), false);
    const small = await temporaryDirectory(t);
    const node = await openNode(t, bucket, { cacheDirectory: small, cacheBytes: 1_999 });
    for (let count = 0; count < 5; count++) await readPage(node.store, 'a-1.0', 'index.html');
    await node.store.close();
    assert.deepEqual(await archivesIn(small), []);
  });

  it('removes archives of an earlier process that exceed its size now', async (t) => {
    const bucket = await publishedBucket(t, 'a-1.0');
    const cacheDirectory = await temporaryDirectory(t);
    const before = await openNode(t, bucket, { cacheDirectory });
    for (let count = 0; count < 3; count++) await readPage(before.store, 'a-1.0', 'index.html');
    await until(() => before.store.status().cache.bytes > 0);
    await before.store.close();
    assert.equal((await archivesIn(cacheDirectory)).length, 1);
    const after = await openNode(t, bucket, { cacheDirectory, cacheBytes: 1_500 });
    assert.deepEqual(await archivesIn(cacheDirectory), []);
    assert.equal(await readPage(after.store, 'a-1.0', 'b.html'), 'b'.repeat(10));
  });

  it('keeps no copy of an oversized archive fetched for a new index', async (t) => {
    const bucket = await publishedBucket(t, 'a-1.0');
    for (const key of bucket.keys()) if (key.startsWith('index/')) bucket.delete(key);
    const cacheDirectory = await temporaryDirectory(t);
    let indexed = 0;
    const archives = {
      index: async () => {
        indexed += 1;
        return { ...NO_CONTENT, index: ArchiveIndex.of([]) };
      },
    };
    const { store } = await openNode(t, bucket, { cacheDirectory, cacheBytes: 1_000, archives });
    await store.open(await versionOf(store, 'a-1.0'), await rootOf());
    assert.equal(indexed, 1);
    assert.deepEqual(await readdir(join(cacheDirectory, 'incoming')), []);
    assert.deepEqual(await archivesIn(cacheDirectory), []);
  });

  it('rejects an archive that arrives damaged or truncated, without leftovers', async (t) => {
    const bucket = await publishedBucket(t, 'a-1.0');
    const cacheDirectory = await temporaryDirectory(t);
    const { store, client, reported } = await openNode(t, bucket, { cacheDirectory });
    const version = await versionOf(store, 'a-1.0');
    client.faults = (operation, key) =>
      operation === 'get' && key.startsWith('archive/') ? { cutAfter: 995 } : undefined;
    for (let count = 0; count < 3; count++) await readPage(store, 'a-1.0', 'b.html').catch(() => {});
    await until(() => reported.length > 0);
    assert.match(reported[0] ?? '', /could not fetch an archive into the cache/);
    assert.deepEqual(await archivesIn(cacheDirectory), []);
    assert.deepEqual(await readdir(join(cacheDirectory, 'incoming')), []);
    client.faults = () => undefined;
    assert.equal(await readPage(store, version.directoryName, 'b.html'), 'b'.repeat(10));
  });
});

async function rootOf() {
  const { SitePath } = await import('../../src/domain/index.js');
  return SitePath.root;
}
