import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailable } from '../../src/adapters/object-store/client/store-errors.js';
import { commitOf, UnknownFormat } from '../../src/adapters/object-store/log/commit.js';
import { CommitLog } from '../../src/adapters/object-store/log/commit-log.js';
import { type Fault, type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';

const commit = (nonce: string) => commitOf(nonce, new Date(0), { kind: 'purge', revisions: [nonce] }, '');

function logOn(bucket: MemoryBucket, ...faults: (Fault | undefined)[]): CommitLog {
  const client = new MemoryObjectClient(bucket);
  client.faults = (operation) => (operation === 'create' ? faults.shift() : undefined);
  return new CommitLog(client);
}

describe('The commit log', () => {
  it('lets exactly one of many writers have a number', async () => {
    const bucket: MemoryBucket = new Map();
    const won = await Promise.all(
      Array.from({ length: 16 }, (_, writer) => logOn(bucket).create(1, commit(`writer ${writer}`))),
    );
    assert.equal(won.filter(Boolean).length, 1);
    const there = await logOn(bucket).read(1);
    assert.equal(there?.nonce, `writer ${won.indexOf(true)}`);
  });

  it('recognises its own commit when the response to its creation was lost', async () => {
    for (const faults of [['after'], ['after', 'after'], ['repeated'], ['before', 'after']] as const) {
      const bucket: MemoryBucket = new Map();
      assert.equal(await logOn(bucket, ...faults).create(1, commit('mine')), true, String(faults));
      assert.equal(bucket.size, 1);
    }
  });

  it("retries a failed commit with the same number, and detects another writer's commit", async () => {
    const bucket: MemoryBucket = new Map();
    await logOn(bucket).create(1, commit('another'));
    assert.equal(await logOn(bucket, 'before', 'before').create(1, commit('mine')), false);
    assert.equal((await logOn(bucket).read(1))?.nonce, 'another');
  });

  it('fails when the store fails, whether or not the commit was made', async () => {
    for (const fault of ['before', 'after'] as const) {
      const bucket: MemoryBucket = new Map();
      const client = new MemoryObjectClient(bucket);
      client.faults = () => fault;
      await assert.rejects(new CommitLog(client).create(1, commit('mine')), StoreUnavailable);
      assert.equal(bucket.size, fault === 'after' ? 1 : 0);
    }
  });

  it('does not overwrite a commit as the only writer of a store without exclusive creation', async () => {
    const bucket: MemoryBucket = new Map();
    const log = new CommitLog(new MemoryObjectClient(bucket), true);
    assert.equal(await log.create(1, commit('first')), true);
    assert.equal(await log.create(1, commit('second')), false);
    assert.equal((await log.read(1))?.nonce, 'first');
  });

  it('repeats a commit with a failed put before another one with its number, as the only writer', async () => {
    const bucket: MemoryBucket = new Map();
    const client = new MemoryObjectClient(bucket);
    const log = new CommitLog(client, true);
    client.faults = () => 'before';
    await assert.rejects(log.create(1, commit('first')), StoreUnavailable);
    client.faults = (operation) => (operation === 'put' ? 'before' : undefined);
    await assert.rejects(log.create(1, commit('second')), StoreUnavailable);
    await assert.rejects(log.create(1, commit('third')), StoreUnavailable);
    client.faults = () => undefined;
    // The failed put may still arrive, and would overwrite any other commit.
    assert.equal(await log.create(1, commit('fourth')), false);
    assert.equal((await log.read(1))?.nonce, 'second');
    assert.equal(await log.create(2, commit('fourth')), true);
  });

  it('refuses commits of an unknown format or kind, and damaged ones', async () => {
    const texts = [
      JSON.stringify({ ...commit('a'), format: 2 }),
      JSON.stringify({ ...commit('a'), previous: undefined }),
      JSON.stringify({ ...commit('a'), change: { kind: 'alias', name: 'stable' } }),
      '{"format":1',
      '',
    ];
    for (const text of texts) {
      const bucket: MemoryBucket = new Map();
      await new MemoryObjectClient(bucket).put('log/999999999999', Buffer.from(text));
      await assert.rejects(logOn(bucket).read(1), UnknownFormat, text);
    }
  });
});
