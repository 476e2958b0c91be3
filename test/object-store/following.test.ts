import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { OpenObjectStore } from '../../src/adapters/object-store/index.js';
import { openDocStore } from '../../src/adapters/object-store/open-object-store.js';
import { NO_SETTINGS, withAlias } from '../../src/domain/index.js';
import { idOf, publish, readPage } from '../contracts/doc-store.js';
import { type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { noArchives } from '../support/no-archives.js';
import { until } from '../support/until.js';
import { keysOf, openNode, temporaryDirectory } from './support.js';

const revisionsOf = (store: OpenObjectStore) =>
  store.catalogue().projects.flatMap(({ versions }) => versions.map(({ revision }) => revision));

describe('Nodes on one object store', () => {
  it('make one history of concurrent changes, without gaps', async (t) => {
    const bucket: MemoryBucket = new Map();
    const nodes = await Promise.all(Array.from({ length: 4 }, () => openNode(t, bucket)));
    await Promise.all(
      nodes.map(async ({ store }, node) => {
        for (let round = 0; round < 10; round++) {
          await publish(store, `a-${round % 3}`, { 'index.html': `${node} ${round}` }, { replace: true });
          if (round % 4 === 3) await store.remove(idOf(`a-${round % 3}`)).catch(() => {});
        }
      }),
    );
    const commits = keysOf(bucket, 'log/');
    assert.equal(commits.at(-1), 'log/999999999999');
    assert.equal(commits[0], `log/${String(10 ** 12 - commits.length)}`);
    const fresh = await openNode(t, bucket);
    const expected = revisionsOf(fresh.store);
    for (const { store } of nodes) await until(() => isDeepStrictEqual(revisionsOf(store), expected));
  });

  it('let one of fifty writers of a new version win, and leave no objects of the losers', async (t) => {
    const bucket: MemoryBucket = new Map();
    const nodes = await Promise.all(
      Array.from({ length: 50 }, () => openNode(t, bucket, { pollMs: 60_000 })),
    );
    const outcomes = await Promise.allSettled(
      nodes.map(({ store }, node) => publish(store, 'a-1.0', { 'index.html': `node ${node}` })),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'version_exists');
    }
    assert.equal(keysOf(bucket, 'archive/').length, 1);
    assert.equal(keysOf(bucket, 'index/').length, 1);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    for (const { store } of nodes.slice(0, 3)) {
      await assert.rejects(store.remove(idOf('b-1.0')));
      assert.equal(await readPage(store, 'a-1.0', 'index.html'), `node ${winner}`);
    }
  });

  it('serve known versions while the store is unreachable, refuse changes, and recover by themselves', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store, client, reported } = await openNode(t, bucket);
    const other = await openNode(t, bucket);
    await publish(store, 'a-1.0', { 'index.html': 'one' });
    client.faults = () => 'before';
    await until(() => reported.length > 0);
    assert.match(reported[0] ?? '', /unreachable; serving cached content and refusing uploads/);
    assert.equal(store.catalogue().version('a-1.0')?.label, '1.0');
    assert.equal(await readPage(store, 'a-1.0', 'index.html'), 'one');
    await assert.rejects(publish(store, 'a-2.0', { 'index.html': 'two' }), { code: 'unavailable' });
    await assert.rejects(store.remove(idOf('a-1.0')), { code: 'unavailable' });
    await publish(other.store, 'b-1.0', { 'index.html': 'b' });
    assert.equal(reported.length, 1);
    client.faults = () => undefined;
    await until(() => store.catalogue().version('b-1.0') !== undefined);
    assert.deepEqual(reported.slice(1), ['the object store is reachable again']);
    assert.equal(store.catalogue().version('a-2.0'), undefined);
    await publish(store, 'a-2.0', { 'index.html': 'two' });
  });

  it('warn as soon as a change fails because the store is unreachable, before the next check of the log', async (t) => {
    const { store, client, reported } = await openNode(t, new Map(), { pollMs: 60_000 });
    await publish(store, 'a-1.0', { 'index.html': 'one' });
    client.faults = () => 'before';
    await assert.rejects(store.remove(idOf('a-1.0')), { code: 'unavailable' });
    assert.equal(store.problem?.name, 'StoreUnavailable');
    await assert.rejects(store.remove(idOf('a-1.0')), { code: 'unavailable' });
    client.faults = () => undefined;
    await store.remove(idOf('a-1.0'));
    assert.equal(store.problem, undefined);
    assert.deepEqual(reported, [
      'the object store is unreachable; serving cached content and refusing uploads',
      'the object store is reachable again',
    ]);
  });

  it('stop at a commit of a newer Lectern: they serve nothing doubtful, and change nothing', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store, reported } = await openNode(t, bucket);
    await publish(store, 'a-1.0', { 'index.html': 'one' });
    const newer = { format: 1, nonce: 'n', at: new Date().toISOString(), change: { kind: 'alias' } };
    await new MemoryObjectClient(bucket).put('log/999999999998', Buffer.from(JSON.stringify(newer)));
    await until(() => reported.length > 0);
    assert.throws(() => store.catalogue(), { code: 'unavailable' });
    assert.match(reported[0] ?? '', /Commit 2 of the log cannot be read: .* update this node/);
    await assert.rejects(publish(store, 'a-2.0', { 'index.html': 'two' }), { code: 'unavailable' });
    await assert.rejects(store.remove(idOf('a-1.0')), { code: 'unavailable' });
    assert.equal(keysOf(bucket, 'log/').length, 2);
    await assert.rejects(openNode(t, bucket), /Commit 2 of the log cannot be read/);
  });

  it('stop at settings of a newer Lectern, in the log and in a snapshot', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store, reported } = await openNode(t, bucket);
    await publish(store, 'a-1.0', { 'index.html': 'one' });
    const change = { kind: 'settings', project: 'a', settings: { colour: 'red' } };
    const newer = { format: 1, nonce: 'n', at: new Date().toISOString(), change };
    await new MemoryObjectClient(bucket).put('log/999999999998', Buffer.from(JSON.stringify(newer)));
    await until(() => reported.length > 0);
    assert.throws(() => store.catalogue(), { code: 'unavailable' });
    assert.match(reported[0] ?? '', /Commit 2 of the log cannot be read/);
  });

  it('read settings from a snapshot', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store } = await openNode(t, bucket, { pollMs: 60_000 });
    const pinned = withAlias(NO_SETTINGS, 'latest', '7');
    await store.changeSettings('a', () => pinned);
    for (let number = 1; number <= 100; number++) await publish(store, `a-${number}`, { 'index.html': 'x' });
    await store.close();
    for (const key of keysOf(bucket, 'log/')) bucket.delete(key);
    const second = await openNode(t, bucket);
    assert.deepEqual(second.store.catalogue().settingsOf('a'), pinned);
    assert.equal(second.store.catalogue().project('a')?.latest.label, '7');
  });

  it('start from a snapshot and the few commits after it', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store } = await openNode(t, bucket, { pollMs: 60_000 });
    for (let number = 1; number <= 205; number++) await publish(store, `a-${number}`, { 'index.html': 'x' });
    await store.remove(idOf('a-1'));
    await store.close();
    assert.deepEqual(keysOf(bucket, 'snapshot/'), ['snapshot/000000000100', 'snapshot/000000000200']);
    const requests: string[] = [];
    const client = new MemoryObjectClient(bucket, '', ({ operation }) => requests.push(operation));
    const second = await openDocStore(client, {
      archives: noArchives,
      cacheDirectory: await temporaryDirectory(t),
      cacheBytes: 1,
      pollMs: 60_000,
    });
    t.after(() => second.close());
    assert.equal(second.catalogue().project('a')?.versions.length, 204);
    assert.ok(requests.length < 20, `${requests.length} requests`);
  });

  it('start from the log when a snapshot is damaged, or from an older snapshot if present', async (t) => {
    const bucket: MemoryBucket = new Map();
    const { store } = await openNode(t, bucket, { pollMs: 60_000 });
    for (let number = 1; number <= 200; number++) await publish(store, `a-${number}`, { 'index.html': 'x' });
    await store.close();
    const client = new MemoryObjectClient(bucket);
    for (const key of keysOf(bucket, 'snapshot/').reverse()) {
      await client.put(key, Buffer.from('damaged'));
      const fresh = await openNode(t, bucket, { pollMs: 60_000 });
      assert.equal(fresh.store.catalogue().project('a')?.versions.length, 200);
    }
  });
});
