import type { ObjectClient } from '../client/object-client.js';
import { S3ObjectClient } from '../client/s3-object-client.js';
import type { StoreConnection } from '../client/sdk.js';
import { parseStoreAddress } from '../client/store-address.js';
import { commitOfKey, keys, PREFIXES } from '../keys.js';
import { CommitLog } from '../log/commit-log.js';
import { Snapshots } from '../log/snapshots.js';
import { snapshotFaults } from './check-snapshot.js';
import { checkVersion } from './check-version.js';
import { LogReplay } from './log-replay.js';
import type { StoreCheck, VerifyStoreOptions } from './store-check.js';

/**
 * Checks an object store: its log, its newest snapshot, and the archive and index of every version. Servers may keep
 * running: a version that is published, replaced or deleted meanwhile has no faults.
 * @throws BadStoreAddress; StoreError; an error of the local disk; an error when the store is empty
 */
export async function* verifyStore(
  store: StoreConnection & { readonly address: string },
  options: VerifyStoreOptions,
): AsyncGenerator<StoreCheck> {
  const client = await S3ObjectClient.open({ ...store, ...parseStoreAddress(store.address) });
  try {
    yield* verifyObjects(client, options);
  } finally {
    await client.close();
  }
}

/** `verifyStore` with a client. */
export async function* verifyObjects(
  client: ObjectClient,
  options: VerifyStoreOptions,
): AsyncGenerator<StoreCheck> {
  const { repair, signal } = options;
  const { replay, snapshot, view } = await readLog(client, signal);
  const versions = [...view.state.catalogue.all()];
  const counted = { done: 0, total: versions.length };
  if (!replay.isComplete)
    yield { ...counted, name: 'the log', faults: replay.faults.slice(), isRepaired: false };
  if (snapshot.faults.length > 0) {
    // What is missing in the log may be nowhere else than in the snapshot.
    const isRepaired = repair && replay.isComplete;
    if (isRepaired) {
      await new Snapshots(client).write(replay.state);
      const { key } = snapshot;
      if (key !== undefined && key !== keys.snapshot(replay.state.number)) await client.remove([key]);
    }
    yield { ...counted, name: 'the snapshot', faults: snapshot.faults, isRepaired };
  }
  for (const [index, version] of versions.entries()) {
    signal?.throwIfAborted();
    const { directoryName: name, revision } = version;
    const { faults, index: madeAnew } = await checkVersion(client, version, options);
    if (faults.length > 0) await view.follow();
    // Faults of a version that was replaced or deleted during the check do not count.
    const isStillThere = view.state.catalogue.version(name)?.revision === revision;
    const isRepaired = isStillThere && repair && madeAnew !== undefined;
    if (isRepaired) await client.put(keys.index(revision), Buffer.from(madeAnew));
    yield {
      name,
      done: index + 1,
      total: versions.length,
      faults: isStillThere ? faults : [],
      isRepaired,
    };
  }
}

/** Reads the log from its first commit on, and compares the newest snapshot with it. */
async function readLog(client: ObjectClient, signal: AbortSignal | undefined) {
  const log = new CommitLog(client);
  const snapshots = new Snapshots(client);
  // Before the log, which goes on meanwhile: so it has all commits that are in the snapshot.
  const newest = await snapshots.newest();
  const last = await lastCommit(client);
  if (last === 0 && newest === undefined)
    throw new Error('there is no documentation: its log has no commits');
  const replay = new LogReplay(log);
  const faults: string[] = [];
  if (newest !== undefined && newest.state === undefined)
    faults.push('it is damaged, or a newer Lectern wrote it');
  if (newest?.state !== undefined) {
    await replay.readTo(newest.state.number, signal);
    if (replay.isComplete) faults.push(...snapshotFaults(newest.state, replay.state));
  }
  await replay.readTo(last, signal);
  // Without the whole log, the versions are those that servers show.
  const view = replay.isComplete ? replay : new LogReplay(log, await snapshots.read());
  await view.follow();
  return { replay, view, snapshot: { key: newest?.key, faults } };
}

/** Number of the newest commit by the listing; 0 when there is none. */
async function lastCommit(client: ObjectClient): Promise<number> {
  for await (const { key } of client.list(PREFIXES.log)) {
    const number = commitOfKey(key);
    if (number !== undefined) return number;
  }
  return 0;
}
