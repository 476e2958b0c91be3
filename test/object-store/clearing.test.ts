import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Clearing, restorableUntil } from '../../src/adapters/object-store/clearing.js';
import type { RevisionRecord } from '../../src/adapters/object-store/log/commit.js';
import { CommitLog } from '../../src/adapters/object-store/log/commit-log.js';
import { Replica } from '../../src/adapters/object-store/log/replica.js';
import { Snapshots } from '../../src/adapters/object-store/log/snapshots.js';
import { idOf, publish, readPage, stageSite } from '../contracts/doc-store.js';
import { type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { keysOf, openNode } from './support.js';

async function clearingOn(bucket: MemoryBucket) {
  const client = new MemoryObjectClient(bucket);
  const options = { pollMs: 60_000, report: () => {} };
  const replica = await Replica.open(new CommitLog(client), new Snapshots(client), options);
  const reported: string[] = [];
  const clearing = new Clearing(client, replica, 0, (message) => reported.push(message));
  return { clearing, client, reported };
}

const objectsOf = (bucket: MemoryBucket, revision: string) =>
  [...bucket.keys()].filter((key) => key.includes(revision));

const removedBefore =
  (time: number) =>
  ({ at }: { readonly at: number }) =>
    at < time;

/** A bucket with a version that stands, one that was replaced and one that was removed; each with a derived file. */
async function bucketWithRemoved(t: Parameters<typeof openNode>[0]) {
  const bucket: MemoryBucket = new Map();
  const { store } = await openNode(t, bucket);
  const revisions: string[] = [];
  for (const name of ['a-1.0', 'a-1.0', 'b-1.0']) {
    const { version } = await publish(store, name, { 'index.html': 'x' }, { replace: true });
    revisions.push(version.revision);
    await store.derived.write(
      version.revision,
      'text',
      (async function* () {
        yield Buffer.from('t');
      })(),
    );
  }
  await store.remove(idOf('b-1.0'));
  const [replaced = '', stands = '', removed = ''] = revisions;
  return { bucket, store, replaced, stands, removed };
}

describe('Clearing an object store', () => {
  it('keeps recently removed versions', async (t) => {
    const { bucket } = await bucketWithRemoved(t);
    const before = [...bucket.keys()];
    const { clearing } = await clearingOn(bucket);
    await clearing.purge(removedBefore(Date.now() - 60_000));
    await clearing.sweep(Date.now() - 60_000);
    assert.deepEqual([...bucket.keys()], before);
  });

  it('deletes all objects of versions removed long ago, after a commit that announces it', async (t) => {
    const { bucket, store, replaced, stands, removed } = await bucketWithRemoved(t);
    const { clearing, client } = await clearingOn(bucket);
    client.faults = (operation) => {
      if (operation === 'remove') assert.equal(keysOf(bucket, 'log/').length, 5);
      return undefined;
    };
    await clearing.purge(removedBefore(Date.now() + 1));
    for (const revision of [replaced, removed]) assert.deepEqual(objectsOf(bucket, revision), []);
    assert.equal(objectsOf(bucket, stands).length, 3);
    assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'x');
    await clearing.purge(removedBefore(Date.now() + 1));
    assert.equal(keysOf(bucket, 'log/').length, 5);
  });

  it('keeps restorable versions for --keep-removed, and nothing afterwards', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store } = await openNode(t, bucket, { keepRemovedMs: 3_600_000 });
    const { version } = await publish(store, 'a-1.0', { 'index.html': 'x' });
    await store.remove(idOf('a-1.0'));
    const [removed] = await store.removed();
    const at = removed?.removedAt.getTime() ?? assert.fail();
    const record = { project: 'a', version: '1.0', revision: version.revision } as RevisionRecord;
    const state = { record, at, isReplaced: false };
    assert.equal(removed?.expiresAt.getTime(), at + 3_600_000);
    assert.equal(restorableUntil(state, 3_600_000), at + 3_600_000);
    assert.equal(restorableUntil(state, 0), at);
    assert.equal(restorableUntil({ ...state, isRestored: true }, 3_600_000), undefined);
    const { store: forgetful } = await openNode(t, bucket, { keepRemovedMs: 0 });
    assert.deepEqual(await forgetful.removed(), []);
  });

  it('is completed by the sweep when a node ends between the commit and the last deletion', async (t) => {
    const { bucket, replaced, stands, removed } = await bucketWithRemoved(t);
    const { clearing, client } = await clearingOn(bucket);
    client.faults = (operation) => (operation === 'remove' ? 'before' : undefined);
    await assert.rejects(clearing.purge(removedBefore(Date.now() + 1)));
    assert.equal(objectsOf(bucket, removed).length, 3);
    const other = await clearingOn(bucket);
    await other.clearing.sweep(Date.now() + 1);
    for (const revision of [replaced, removed]) assert.deepEqual(objectsOf(bucket, revision), []);
    assert.equal(objectsOf(bucket, stands).length, 3);
  });

  it('keeps foreign objects, such as another store below the same prefix', async (t) => {
    const { bucket } = await bucketWithRemoved(t);
    const foreign = [
      'archive/log/999999999999',
      'archive/notes.zip',
      'index/README',
      'derived/x/y',
      'proof/mine',
    ];
    const { clearing, client } = await clearingOn(bucket);
    for (const key of foreign) await client.put(key, Buffer.from('x'));
    await clearing.sweep(Date.now() + 1);
    for (const key of foreign) assert.ok(bucket.has(key), key);
  });

  /** Makes uploads that never got a commit, two objects each. */
  async function leaveUploads(client: MemoryObjectClient, count: number): Promise<void> {
    for (let upload = 0; upload < count; upload++) {
      const revision = `m${upload}-${'0'.repeat(20)}`;
      await client.put(`archive/${revision}.zip`, Buffer.from('zip'));
      await client.put(`index/${revision}`, Buffer.from('index'));
    }
  }

  it('keeps more than 100 objects that are more than a tenth, logs it once, and deletes them on request', async (t) => {
    const { bucket } = await bucketWithRemoved(t);
    const { clearing, client, reported } = await clearingOn(bucket);
    await leaveUploads(client, 51);
    const before = [...bucket.keys()];
    const soon = Date.now() + 60_000;
    for (let times = 0; times < 3; times++) await clearing.sweep(soon);
    assert.deepEqual([...bucket.keys()], before);
    assert.equal(reported.length, 1);
    assert.match(
      reported[0] ?? '',
      /^102 of 111 objects belong to no commit of the log and were not deleted/,
    );
    await clearing.sweep(soon, { all: true });
    assert.equal(bucket.size, before.length - 102);
    await leaveUploads(client, 51);
    await clearing.sweep(soon);
    assert.equal(reported.length, 2);
  });

  it('deletes 100 objects, or more within a tenth', async () => {
    const bucket: MemoryBucket = new Map();
    const { clearing, client, reported } = await clearingOn(bucket);
    await leaveUploads(client, 50);
    await clearing.sweep(Date.now() + 60_000);
    assert.equal(bucket.size, 0);
    await leaveUploads(client, 51);
    for (let number = 0; number < 918; number++) await client.put(`archive/${number}`, Buffer.from('x'));
    await clearing.sweep(Date.now() + 60_000);
    assert.equal(bucket.size, 918);
    assert.deepEqual(reported, []);
  });

  it('is harmless on two nodes at once', async (t) => {
    const { bucket, store, stands } = await bucketWithRemoved(t);
    const nodes = await Promise.all([clearingOn(bucket), clearingOn(bucket)]);
    await Promise.all(nodes.map(({ clearing }) => clearing.purge(removedBefore(Date.now() + 1))));
    await Promise.all(nodes.map(({ clearing }) => clearing.sweep(Date.now() + 1)));
    assert.equal(objectsOf(bucket, stands).length, 3);
    assert.equal(keysOf(bucket, 'archive/').length, 1);
    assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'x');
  });

  it('sweeps an upload that never got a commit, and keeps one that gets it during the sweep', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store, client } = await openNode(t, bucket);
    client.faults = (operation) => (operation === 'create' ? 'before' : undefined);
    const { staging, record } = await stageSite(store, { 'index.html': 'lost' });
    await assert.rejects(store.publish(staging, { record, id: idOf('a-1.0') }, { replace: false }));
    client.faults = () => undefined;
    assert.equal(bucket.size, 2);
    const sweeper = await clearingOn(bucket);
    let isPublished = false;
    sweeper.client.faults = async (operation) => {
      if (operation === 'list' && !isPublished) {
        isPublished = true;
        await publish(store, 'a-2.0', { 'index.html': 'just now' });
      }
      return undefined;
    };
    await sweeper.clearing.sweep(Date.now() + 60_000);
    assert.equal(keysOf(bucket, 'archive/').length, 1);
    assert.equal(await readPage(store, 'a-2.0', 'index.html'), 'just now');
  });
});
