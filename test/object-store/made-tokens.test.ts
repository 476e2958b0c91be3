import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { CommitLog } from '../../src/adapters/object-store/log/commit-log.js';
import { Snapshots } from '../../src/adapters/object-store/log/snapshots.js';
import { LogReplay, snapshotFaults } from '../../src/adapters/object-store/verification/log-replay.js';
import type { MadeToken } from '../../src/domain/index.js';
import { type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { keysOf, openNode } from './support.js';

const token = (name: string): MadeToken => ({
  ...{ maker: 'team', name, sha256: name.repeat(64), madeAt: new Date('2027-01-02T03:04:05.678Z') },
  given: {
    projects: ['a'],
    ...{ allowOverwrite: true, allowDelete: false, existingProjectsOnly: false },
    ...{ allowManage: false, previewsOnly: false, allowTokens: false },
  },
});

/** Writes a snapshot of the whole log. @returns the state in it */
async function snapshotOf(bucket: MemoryBucket) {
  const client = new MemoryObjectClient(bucket);
  const replay = new LogReplay(new CommitLog(client));
  await replay.follow();
  assert.deepEqual(replay.faults, []);
  await new Snapshots(client).write(replay.state);
  return replay.state;
}

async function twoTokens(t: TestContext) {
  const bucket: MemoryBucket = new Map();
  const { store } = await openNode(t, bucket);
  await store.changeMadeTokens(() => [token('a'), token('b')]);
  return { bucket, store };
}

describe('Made tokens in an object store', () => {
  it('are written as one commit per change, and none without a change', async (t) => {
    const { bucket, store } = await twoTokens(t);
    await store.changeMadeTokens((tokens) => tokens);
    await store.changeMadeTokens((tokens) => tokens.slice(1));
    assert.equal(keysOf(bucket, 'log/').length, 2);
    assert.deepEqual(await store.madeTokens(), [token('b')]);
  });

  it('are in the snapshot', async (t) => {
    const { bucket } = await twoTokens(t);
    const state = await snapshotOf(bucket);
    const read = await new Snapshots(new MemoryObjectClient(bucket)).read();
    assert.deepEqual([read.number, [...read.tokens.values()]], [1, [token('a'), token('b')]]);
    assert.deepEqual(snapshotFaults(read, state), []);
    const { store } = await openNode(t, bucket);
    assert.deepEqual(await store.madeTokens(), [token('a'), token('b')]);
  });

  it('leave no trace in the snapshot once all are revoked', async (t) => {
    const { bucket, store } = await twoTokens(t);
    const before = await snapshotOf(bucket);
    await store.changeMadeTokens(() => []);
    const after = await snapshotOf(bucket);
    assert.equal((await new Snapshots(new MemoryObjectClient(bucket)).read()).tokens.size, 0);
    assert.deepEqual(snapshotFaults(after, before), ['its tokens created by tokens differ from the log']);
  });
});
