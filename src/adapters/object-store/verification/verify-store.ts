import type { Check } from '../../../application/index.js';
import type { ObjectClient } from '../client/object-client.js';
import { S3ObjectClient } from '../client/s3-object-client.js';
import type { StoreConnection } from '../client/sdk.js';
import { parseStoreAddress } from '../client/store-address.js';
import { keys } from '../keys.js';
import { CommitLog } from '../log/commit-log.js';
import { Snapshots } from '../log/snapshots.js';
import { checkVersion, unnamedArchives, type VerifyStoreOptions } from './check-archives.js';
import { LogReplay, lostPublications, snapshotFaults } from './log-replay.js';

/**
 * Checks an object store: its log, its newest snapshot, archives that no commit names, and the archive and index of every
 * version. Servers may keep running: a version that is published, replaced or deleted meanwhile has no faults.
 * @throws BadStoreAddress; StoreError; an error of the local disk; an error when the store is empty
 */
export async function* verifyStore(
  store: StoreConnection & { readonly address: string },
  options: VerifyStoreOptions,
): AsyncGenerator<Check> {
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
): AsyncGenerator<Check> {
  const { repair, signal, now = Date.now() } = options;
  const { replay, snapshot, view } = await readLog(client, signal);
  const versions = [...view.state.catalogue.all()];
  const counted = { done: 0, total: versions.length };
  if (!replay.isComplete)
    yield { ...counted, name: 'the log', faults: replay.faults.slice(), isRepaired: false };
  if (snapshot.faults.length > 0) {
    // Commits that the log lacks may be in the snapshot only.
    const isRepaired = repair && replay.isComplete;
    if (isRepaired) {
      await new Snapshots(client).write(replay.state);
      const { key } = snapshot;
      if (key !== undefined && key !== keys.snapshot(replay.state.number)) await client.remove([key]);
    }
    yield { ...counted, name: 'the snapshot', faults: snapshot.faults, isRepaired };
  }
  const unnamed = await unnamedArchives(
    client,
    (revision) => replay.named.has(revision) || view.state.isKnown(revision),
    now,
  );
  if (unnamed.length > 0) yield { ...counted, name: 'the archives', faults: unnamed, isRepaired: false };
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
  const { listed, marked } = await log.newest();
  const last = Math.max(listed, marked);
  if (last === 0 && newest === undefined)
    throw new Error('there is no documentation: its log has no commits');
  const replay = new LogReplay(log);
  const faults: string[] = [];
  if (newest !== undefined && newest.state === undefined)
    faults.push('it is damaged, or a newer Lectern wrote it');
  if (newest?.state !== undefined) {
    const { number, nonce } = newest.state;
    await replay.readTo(number, signal);
    const found = replay.nonce;
    if (found !== undefined && found !== nonce) {
      replay.note(
        `commit ${number} differs from the one in the snapshot: the log was replaced or rolled back`,
      );
    }
    if (replay.isComplete) faults.push(...snapshotFaults(newest.state, replay.state));
    else
      for (const fault of lostPublications(newest.state, (each) => replay.named.has(each)))
        replay.note(fault);
  }
  await replay.readTo(last, signal);
  // Without the whole log, the versions are those that servers show.
  const view = replay.isComplete ? replay : new LogReplay(log, await snapshots.read());
  await view.follow();
  return { replay, view, snapshot: { key: newest?.key, faults } };
}
