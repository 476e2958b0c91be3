import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ArchiveCache } from '../../src/adapters/object-store/archives/archive-cache.js';
import { idOf, publish, readPage } from '../contracts/doc-store.js';
import type { MemoryBucket } from '../support/memory-object-client.js';
import { until } from '../support/until.js';
import { keysOf, openNode, temporaryDirectory } from './support.js';

const SITE = { 'index.html': 'what should never have been there' };
const keysWith = (bucket: MemoryBucket, revision: string) =>
  [...bucket.keys()].filter((key) => key.includes(revision));
const archivesIn = (directory: string) => readdir(join(directory, 'archives'));

describe('Purging a version in an object store', () => {
  it('deletes its objects at once, after a commit that announces it', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store, client } = await openNode(t, bucket);
    const { version } = await publish(store, 'a-1.0', SITE);
    client.faults = (operation) => {
      if (operation === 'remove') assert.equal(keysOf(bucket, 'log/').length, 3);
      return undefined;
    };
    await store.remove(idOf('a-1.0'), { purge: true });
    assert.deepEqual(keysWith(bucket, version.revision), []);
  });

  it('removes a version deleted before, with its replaced publications', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store } = await openNode(t, bucket);
    const first = await publish(store, 'a-1.0', SITE);
    const second = await publish(store, 'a-1.0', SITE, { replace: true });
    await publish(store, 'b-1.0', SITE);
    await store.remove(idOf('a-1.0'));
    for (const { version } of [first, second]) assert.equal(keysWith(bucket, version.revision).length, 2);
    await store.remove(idOf('a-1.0'), { purge: true });
    for (const { version } of [first, second]) assert.deepEqual(keysWith(bucket, version.revision), []);
    assert.equal(await readPage(store, 'b-1.0', 'index.html'), SITE['index.html']);
    await assert.rejects(store.remove(idOf('a-1.0'), { purge: true }), { code: 'project_not_found' });
  });

  it('clears the caches of other nodes, at the commit or at their start', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store } = await openNode(t, bucket);
    await publish(store, 'a-1.0', SITE);
    const [running, stopped] = await Promise.all([temporaryDirectory(t), temporaryDirectory(t)]);
    for (const cacheDirectory of [running, stopped]) {
      const node = await openNode(t, bucket, { cacheDirectory });
      for (let read = 0; read < 3; read++) await readPage(node.store, 'a-1.0', 'index.html');
      await until(async () => (await archivesIn(cacheDirectory)).length === 1);
      if (cacheDirectory === stopped) await node.store.close();
    }
    await store.remove(idOf('a-1.0'), { purge: true });
    await until(async () => (await archivesIn(running)).length === 0);
    assert.equal((await archivesIn(stopped)).length, 1);
    await openNode(t, bucket, { cacheDirectory: stopped });
    await until(async () => (await archivesIn(stopped)).length === 0);
  });

  it('keeps an archive that arrives after the commit out of the cache', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store, client } = await openNode(t, bucket);
    const { version } = await publish(store, 'a-1.0', SITE);
    const directory = await temporaryDirectory(t);
    const cache = await ArchiveCache.open(client, { directory, maxBytes: 10_000, report: () => {} });
    const fetched = await cache.copyOf(version);
    assert.equal((await readdir(cache.incoming)).length, 1);
    cache.restrictTo(() => false);
    await fetched?.dispose();
    assert.deepEqual([await archivesIn(directory), await readdir(cache.incoming)], [[], []]);
  });

  it('is completed by the next purge or sweep when it fails half-way, and is harmless on two nodes', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store, client } = await openNode(t, bucket);
    const { version } = await publish(store, 'a-1.0', SITE);
    // The commit that removes is made, the one that announces is not.
    let commits = 0;
    client.faults = (operation) => {
      if (operation === 'create') commits += 1;
      return operation === 'create' && commits > 1 ? 'before' : undefined;
    };
    await assert.rejects(store.remove(idOf('a-1.0'), { purge: true }), { code: 'unavailable' });
    assert.equal(store.catalogue().project('a'), undefined);
    assert.equal(keysWith(bucket, version.revision).length, 2);
    client.faults = () => undefined;
    const { store: other } = await openNode(t, bucket);
    const outcomes = await Promise.allSettled(
      [store, other].map((node) => node.remove(idOf('a-1.0'), { purge: true })),
    );
    assert.ok(outcomes.some(({ status }) => status === 'fulfilled'));
    assert.deepEqual(keysWith(bucket, version.revision), []);
  });
});
