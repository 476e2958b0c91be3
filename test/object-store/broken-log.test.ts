import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { keys } from '../../src/adapters/object-store/keys.js';
import { type Commit, commitOf, parseCommit } from '../../src/adapters/object-store/log/commit.js';
import { CommitLog } from '../../src/adapters/object-store/log/commit-log.js';
import { Snapshots } from '../../src/adapters/object-store/log/snapshots.js';
import { LogReplay } from '../../src/adapters/object-store/verification/log-replay.js';
import { NO_SETTINGS, withAlias } from '../../src/domain/index.js';
import { idOf, publish, readPage } from '../contracts/doc-store.js';
import { type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { until } from '../support/until.js';
import { keysOf, openNode } from './support.js';

const IN_THREE_DAYS = new Date(Date.now() + 3 * 24 * 60 * 60_000);
const WHOLE_AGAIN = 'the log of the object store is complete again';

type Node = Awaited<ReturnType<typeof openNode>>;

/** A bucket with five commits, each of which publishes a version of w; no node runs on it. */
async function bucketOfFive(t: TestContext): Promise<MemoryBucket> {
  const bucket: MemoryBucket = new Map();
  const { store } = await openNode(t, bucket);
  for (const label of ['1', '2', '3', '4', '5']) await publish(store, `w-${label}`, { 'index.html': label });
  await store.close();
  return bucket;
}

/** Takes commits away. @returns puts them back */
function lose(bucket: MemoryBucket, ...numbers: number[]): () => void {
  const lost = numbers.map((number) => {
    const object = bucket.get(keys.commit(number)) ?? assert.fail(`no commit ${number}`);
    return [keys.commit(number), object] as const;
  });
  for (const [key] of lost) bucket.delete(key);
  return () => {
    for (const [key, object] of lost) bucket.set(key, object);
  };
}

const versionsOf = ({ store }: Node) =>
  store
    .catalogue()
    .project('w')
    ?.versions.map(({ label }) => label)
    .sort()
    .join() ?? '';

const contentOf = (bucket: MemoryBucket) =>
  new Map([...bucket].map(([key, { bytes }]) => [key, Buffer.from(bytes).toString('base64')]));

/** Tries every change, and clears up days later. Nothing may come of it. */
async function assertChangesNothing({ store }: Node, bucket: MemoryBucket, name: string): Promise<void> {
  const before = contentOf(bucket);
  const refusal = { code: 'unavailable', message: /^The log of the object store is incomplete/ };
  await assert.rejects(store.stage(), refusal);
  await assert.rejects(store.remove(idOf(name)), refusal);
  await assert.rejects(store.remove(idOf(name), { purge: true }), refusal);
  await assert.rejects(
    store.changeSettings('w', () => withAlias(NO_SETTINGS, 'stable', '1')),
    refusal,
  );
  await assert.rejects(store.clearUp(IN_THREE_DAYS, { all: true }), refusal);
  assert.deepEqual(contentOf(bucket), before);
}

describe('A node that starts on a broken log', () => {
  const HOLES: readonly [title: string, lost: readonly number[], known: string, seen: RegExp][] = [
    ['without its second commit', [2], '1', /^commit 2 of the log is missing, but commit 5 exists; /],
    ['without its first commit', [1], '', /^commit 1 of the log is missing, but commit 5 exists; /],
    [
      'without its last commits',
      [4, 5],
      '1,2,3',
      /^commit 4 of the log is missing, but the log had a commit 5; /,
    ],
    ['that has lost all commits', [1, 2, 3, 4, 5], '', /^commit 1 of the log is missing, but the log had /],
  ];
  for (const [title, lost, known, seen] of HOLES) {
    it(`serves known versions from a log ${title}, and changes and deletes nothing until the log is whole`, async (t) => {
      const bucket = await bucketOfFive(t);
      const restore = lose(bucket, ...lost);
      const node = await openNode(t, bucket);
      assert.equal(node.store.doubt?.name, 'LogBroken');
      assert.equal(versionsOf(node), known);
      if (known !== '') assert.equal(await readPage(node.store, 'w-1', 'index.html'), '1');
      await assertChangesNothing(node, bucket, 'w-1');
      assert.equal(node.reported.length, 1);
      assert.match(node.reported[0] ?? '', seen);
      assert.match(node.reported[0] ?? '', /see 'When the log is broken' in docs\/object-store\.md$/);

      restore();
      await until(() => node.store.doubt === undefined);
      assert.equal(versionsOf(node), '1,2,3,4,5');
      assert.deepEqual(node.reported.slice(1), [WHOLE_AGAIN]);
      await node.store.clearUp(IN_THREE_DAYS, { all: true });
      assert.equal(keysOf(bucket, 'archive/').length, 5);
      await publish(node.store, 'w-6', { 'index.html': '6' });
    });
  }

  it('stops at a filled hole, unless the filling commit has the nonce of the lost one', async (t) => {
    const bucket = await bucketOfFive(t);
    const { nonce, previous } = parse(bucket, 2);
    const fill = async (name: string) => {
      lose(bucket, 2);
      const filler = commitOf(name, new Date(), { kind: 'purge', revisions: [] }, previous);
      await new CommitLog(new MemoryObjectClient(bucket)).create(2, filler);
    };
    await fill('filler');
    const node = await openNode(t, bucket);
    assert.equal(versionsOf(node), '1');
    await assertChangesNothing(node, bucket, 'w-1');
    assert.match(node.reported[0] ?? '', /^commit 3 of the log does not follow commit 2: .*filled in; /);
    await fill(nonce);
    assert.equal(versionsOf(await openNode(t, bucket)), '1,3,4,5');
  });

  it('detects a rollback when the log ends before the snapshot', async (t) => {
    const bucket = await bucketOfFive(t);
    await writeSnapshot(bucket);
    bucket.delete('head');
    const restore = lose(bucket, 4, 5);
    const node = await openNode(t, bucket);
    assert.equal(versionsOf(node), '1,2,3,4,5');
    await assertChangesNothing(node, bucket, 'w-1');
    assert.match(node.reported[0] ?? '', /^commit 5 of the log is missing; /);
    restore();
    await until(() => node.store.doubt === undefined);
  });

  it("detects a replaced log when it continues without the snapshot's commits", async (t) => {
    const bucket = await bucketOfFive(t);
    await writeSnapshot(bucket);
    const { previous } = parse(bucket, 5);
    lose(bucket, 5);
    const other = commitOf('another', new Date(), { kind: 'purge', revisions: [] }, previous);
    await new CommitLog(new MemoryObjectClient(bucket)).create(5, other);
    const node = await openNode(t, bucket);
    await assertChangesNothing(node, bucket, 'w-1');
    assert.match(node.reported[0] ?? '', /^commit 5 of the log differs from the one this server knows: /);
  });

  it('trusts a log with foreign keys below log/', async (t) => {
    const bucket = await bucketOfFive(t);
    const client = new MemoryObjectClient(bucket);
    const foreign = ['', '.keep', '202611231200', '999999999990.bak', 'notes/1'];
    for (const name of foreign) await client.put(`log/${name}`, Buffer.from('x'));
    const node = await openNode(t, bucket);
    assert.equal(node.store.doubt, undefined);
    await publish(node.store, 'w-6', { 'index.html': '6' });
    lose(bucket, 5);
    const restarted = await openNode(t, bucket);
    assert.match(restarted.reported[0] ?? '', /^commit 5 of the log is missing, but commit 6 exists; /);
  });
});

describe('A running node', () => {
  it('accepts a commit made while it requests the newest', async (t) => {
    const bucket = await bucketOfFive(t);
    const other = await openNode(t, bucket, { pollMs: 60_000 });
    const node = await openNode(t, bucket, { pollMs: 60_000 });
    let made = 0;
    node.client.faults = async (operation) => {
      if (operation === 'list' && made++ === 0) await publish(other.store, 'w-6', { 'index.html': '6' });
      return undefined;
    };
    await publish(node.store, 'w-7', { 'index.html': '7' });
    assert.equal(versionsOf(node), '1,2,3,4,5,6,7');
    assert.deepEqual(node.reported, []);
  });

  it('stops at a log rolled back by two commits, however it continues', async (t) => {
    const bucket = await bucketOfFive(t);
    const node = await openNode(t, bucket);
    lose(bucket, 4, 5);
    // With the mark, the other node would know of the two as well.
    bucket.delete('head');
    const other = await openNode(t, bucket);
    for (const name of ['w-6', 'w-7', 'w-8']) await publish(other.store, name, { 'index.html': name });
    await until(() => node.store.doubt !== undefined);
    assert.equal(versionsOf(node), '1,2,3,4,5');
    await assertChangesNothing(node, bucket, 'w-1');
    assert.equal(node.reported.length, 1);
    assert.match(
      node.reported[0] ?? '',
      /^commit 5 of the log (is missing|differs from the one this server knows)/,
    );
    const restarted = await openNode(t, bucket);
    assert.equal(versionsOf(restarted), versionsOf(other));
    assert.equal(versionsOf(restarted), '1,2,3,6,7,8');
  });

  it('detects at the next check that the store has lost its own commit, as do other nodes', async (t) => {
    const bucket = await bucketOfFive(t);
    const nodes = [await openNode(t, bucket), await openNode(t, bucket)] as const;
    await publish(nodes[0].store, 'w-6', { 'index.html': '6' });
    await until(() => versionsOf(nodes[1]) === '1,2,3,4,5,6');
    const restore = lose(bucket, 6);
    for (const node of nodes) {
      await until(() => node.store.doubt !== undefined);
      await assertChangesNothing(node, bucket, 'w-1');
    }
    restore();
    for (const { store } of nodes) await until(() => store.doubt === undefined);
    for (const { reported } of nodes) assert.deepEqual(reported.slice(1), [WHOLE_AGAIN]);
  });

  it('does not fill a hole that it has not noticed yet', async (t) => {
    const bucket = await bucketOfFive(t);
    const late = await openNode(t, bucket, { pollMs: 60_000 });
    const other = await openNode(t, bucket);
    for (const name of ['w-6', 'w-7']) await publish(other.store, name, { 'index.html': name });
    lose(bucket, 6);
    const before = contentOf(bucket);
    await assert.rejects(publish(late.store, 'w-8', { 'index.html': '8' }), { code: 'unavailable' });
    assert.deepEqual(contentOf(bucket), before, 'the objects of the upload are gone');
    assert.match(late.reported[0] ?? '', /^commit 6 of the log is missing, but commit 7 exists; /);
  });

  it('stays in doubt while the store is unreachable, and logs each fact once', async (t) => {
    const bucket = await bucketOfFive(t);
    const node = await openNode(t, bucket);
    const restore = lose(bucket, 5);
    await until(() => node.store.doubt !== undefined);
    node.client.faults = () => 'before';
    await until(() => node.store.problem !== undefined);
    assert.ok(node.store.doubt !== undefined);
    node.client.faults = () => undefined;
    await until(() => node.store.problem === undefined);
    assert.ok(node.store.doubt !== undefined);
    restore();
    await until(() => node.store.doubt === undefined);
    assert.deepEqual(
      node.reported.map((message) => message.replace(/;.*/, '')),
      [
        'commit 5 of the log is missing',
        'the object store is unreachable',
        'the object store is reachable again',
        WHOLE_AGAIN,
      ],
    );
  });
});

/** Writes a snapshot after the last commit. */
async function writeSnapshot(bucket: MemoryBucket): Promise<void> {
  const client = new MemoryObjectClient(bucket);
  const { state } = await replayOf(client);
  await new Snapshots(client).write(state);
}

async function replayOf(client: MemoryObjectClient): Promise<LogReplay> {
  const replay = new LogReplay(new CommitLog(client));
  await replay.follow();
  return replay;
}

function parse(bucket: MemoryBucket, number: number): Commit {
  const { bytes } = bucket.get(keys.commit(number)) ?? assert.fail(`no commit ${number}`);
  return parseCommit(Buffer.from(bytes).toString(), number);
}
