import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { idOf, publish, readPage, removedOf } from '../contracts/doc-store.js';
import type { MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { keysOf, openNode } from './support.js';

const UNAVAILABLE = { code: 'unavailable', message: /^The object store cannot be reached/ };

/** From now on, the store has lost each archive by the time somebody asks for it, or has the beginning of it. */
function loseArchives(client: MemoryObjectClient, bucket: MemoryBucket, kept = 0): void {
  const old = new Set(bucket.keys());
  client.faults = (operation, key) => {
    const object = bucket.get(key);
    if (operation !== 'get' || !key.startsWith('archive/') || old.has(key) || !object) return undefined;
    if (kept === 0) bucket.delete(key);
    else bucket.set(key, { ...object, bytes: object.bytes.subarray(0, kept) });
    return undefined;
  };
}

describe('A store that acknowledges an archive and loses it', () => {
  for (const [what, kept] of [
    ['all', 0],
    ['the end', 1],
  ] as const) {
    it(`loses no upload: one without ${what} of its archive is refused, and leaves nothing`, async (t) => {
      const bucket: MemoryBucket = new Map();
      const { store, client } = await openNode(t, bucket);
      await publish(store, 'a-1.0', { 'index.html': 'old' });
      const before = new Map(bucket);
      loseArchives(client, bucket, kept);
      await assert.rejects(publish(store, 'a-1.1', { 'index.html': 'new' }), UNAVAILABLE);
      await assert.rejects(publish(store, 'a-1.0', { 'index.html': 'new' }, { replace: true }), UNAVAILABLE);
      assert.deepEqual(bucket, before);
      client.faults = () => undefined;
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'old');
      assert.equal(store.catalogue().version('a-1.1'), undefined);
      await publish(store, 'a-1.1', { 'index.html': 'new' });
    });
  }

  it('loses no restored version, which can be restored again', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store, client } = await openNode(t, bucket, { keepRemovedMs: 3_600_000 });
    await publish(store, 'a-1.0', { 'index.html': 'one' });
    await store.remove(idOf('a-1.0'));
    loseArchives(client, bucket);
    await assert.rejects(store.restore(await removedOf(store, 'a-1.0'), { replace: false }), UNAVAILABLE);
    assert.equal(keysOf(bucket, 'log/').length, 2);
    assert.equal(keysOf(bucket, 'archive/').length, 1);
    client.faults = () => undefined;
    await store.restore(await removedOf(store, 'a-1.0'), { replace: false });
    assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'one');
  });
});
