import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { PRIVATE_PROJECTS, type StoreObserver } from '../../application/index.js';
import { refusing } from '../../node/system-errors.js';
import { ArchiveCache } from './archives/archive-cache.js';
import { ArchiveFiles } from './archives/archive-files.js';
import { removeOldUploads } from './archives/cache-directory.js';
import { Clearing } from './clearing.js';
import type { ObjectClient } from './client/object-client.js';
import { S3ObjectClient } from './client/s3-object-client.js';
import type { StoreConnection } from './client/sdk.js';
import { parseStoreAddress } from './client/store-address.js';
import { StoreUnsupported } from './client/store-errors.js';
import { PREFIXES } from './keys.js';
import { CommitLog } from './log/commit-log.js';
import { Replica } from './log/replica.js';
import { Snapshots } from './log/snapshots.js';
import { ObjectDocStore, type ObjectDocStoreOptions } from './object-doc-store.js';
import { refusalOf } from './refusals.js';

/** Stores that fail only now and then are found more often by the second round. */
const ROUNDS = 2;
const WRITERS = 16;
const VERSIONING = 'A bucket with versioning does that: use one without versioning, or another store.';

interface ObjectStoreSettings extends ObjectDocStoreOptions, StoreConnection {
  /** `s3://bucket/prefix` */
  readonly address: string;
  /** Called at the end of each request to the store, for metrics. */
  readonly onRequest?: StoreObserver | undefined;
}

/** An open object store, whose errors are refusals. */
export type OpenObjectStore = Pick<ObjectDocStore, keyof ObjectDocStore>;

/** The store cannot be used by several writers. The message is a sentence that says what it did. */
export class UnfitStore extends Error {
  override readonly name = 'UnfitStore';
}

/**
 * Opens a DocStore in an object store. Before that, the store has to prove that it creates objects exclusively, unless
 * this node only reads. A store that fails is used with `isOnlyWriter`, and refused without.
 * @throws BadStoreAddress; UnfitStore; as `openDocStore`
 */
export async function openObjectStore(settings: ObjectStoreSettings): Promise<OpenObjectStore> {
  const { address, isReadOnly = false, isOnlyWriter = false, report = () => {} } = settings;
  const client = await S3ObjectClient.open({ ...settings, ...parseStoreAddress(address) });
  try {
    const failure = isReadOnly ? undefined : await proveStore(client);
    if (failure !== undefined && !isOnlyWriter) throw new UnfitStore(failure);
    if (failure !== undefined) report(`only this server may accept uploads: ${failure}`, {});
    return await openDocStore(client, { ...settings, isOnlyWriter: failure !== undefined });
  } catch (error) {
    await client.close();
    throw error;
  }
}

/**
 * Opens a store with a broken log as well, see `doubt`.
 * @throws StoreError; UnknownFormat; an error of the local disk; Error with a sentence, for a store with private projects
 */
export async function openDocStore(
  client: ObjectClient,
  options: ObjectDocStoreOptions,
): Promise<OpenObjectStore> {
  const {
    cacheDirectory: directory,
    cacheBytes: maxBytes,
    pollMs,
    keepRemovedMs,
    report = () => {},
  } = options;
  const cache = await ArchiveCache.open(client, { directory, maxBytes, report });
  await removeOldUploads(directory);
  const log = new CommitLog(client, options.isOnlyWriter);
  const replica = await Replica.open(log, new Snapshots(client), { pollMs, report });
  const clearing = new Clearing(client, replica, keepRemovedMs, report);
  const archives = new ArchiveFiles(client, cache, options.archives, () => replica.assertInReach());
  const store = new ObjectDocStore(client, options, replica, cache, archives, clearing);
  try {
    await keepPrivacy(replica, options);
  } catch (error) {
    await replica.close();
    await cache.close();
    throw error;
  }
  return refusingStore(store);
}

/** Returns the store with each method that meets the store or the disk refusing. Bytes of files refuse where they are read. */
export function refusingStore(store: OpenObjectStore): OpenObjectStore {
  const refused = <T>(work: () => Promise<T>) => refusing(refusalOf, work);
  const { foldsCase, derived } = store;
  return {
    foldsCase,
    derived: {
      open: (...all) => refused(() => derived.open(...all)),
      write: (...all) => refused(() => derived.write(...all)),
    },
    get problem() {
      return store.problem;
    },
    get doubt() {
      return store.doubt;
    },
    status: () => store.status(),
    catalogue: () => store.catalogue(),
    subscribe: (listener) => store.subscribe(listener),
    hasPrivate: () => refused(() => store.hasPrivate()),
    stage: () => refused(() => store.stage()),
    publish: (...all) => refused(() => store.publish(...all)),
    remove: (...all) => refused(() => store.remove(...all)),
    restore: (...all) => refused(() => store.restore(...all)),
    removed: () => refused(() => store.removed()),
    removals: () => refused(() => store.removals()),
    changeSettings: (...all) => refused(() => store.changeSettings(...all)),
    madeTokens: () => refused(() => store.madeTokens()),
    changeMadeTokens: (decide) => refused(() => store.changeMadeTokens(decide)),
    open: (version, path) => refused(() => store.open(version, path)),
    listFiles: (...all) => refused(() => store.listFiles(...all)),
    checksums: (version) => refused(() => store.checksums(version)),
    openArchive: (version) => refused(() => store.openArchive(version)),
    downloadUrl: (...all) => refused(() => store.downloadUrl(...all)),
    freeBytes: () => refused(() => store.freeBytes()),
    diskUse: (project) => refused(() => store.diskUse(project)),
    judgeClock: (now) => refused(() => store.judgeClock(now)),
    clearUp: (...all) => refused(() => store.clearUp(...all)),
    close: () => refused(() => store.close()),
  };
}

/** Has the store remember that it has private projects, or that it has none any more. @throws Error when it has, and may not */
async function keepPrivacy(
  replica: Replica,
  { privacy = 'none', isReadOnly = false }: Pick<ObjectDocStoreOptions, 'privacy' | 'isReadOnly'>,
): Promise<void> {
  const { hasPrivate } = replica.current;
  if (privacy === 'unserved') return;
  if (privacy === 'none') {
    if (hasPrivate) throw new Error(PRIVATE_PROJECTS);
    return;
  }
  const isOn = privacy !== 'ended';
  if (hasPrivate === isOn) return;
  if (isReadOnly) {
    throw new Error(
      'it must record first whether projects are private, and a server without --tokens cannot change it: start one with --tokens once',
    );
  }
  await replica.change((state) => (state.hasPrivate === isOn ? undefined : { kind: 'privacy', isOn }));
}

/**
 * Proves in the real bucket and prefix that a store creates objects only if absent, which the log needs when there are
 * several servers: one create, a second one, and a race, each twice. The objects, under `proof/`, are removed in any case;
 * a bucket with versioning keeps old versions of them.
 *
 * @returns undefined when the store has passed; otherwise a sentence that says what it did
 * @throws StoreError when the store cannot be asked, or does not let this server write, read or remove
 */
export async function proveStore(client: ObjectClient): Promise<string | undefined> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const key = `${PREFIXES.proofs}${randomUUID()}`;
    const keys = [`${key}-twice`, `${key}-race`] as const;
    let failure: string | undefined;
    try {
      failure = (await proveTwice(client, keys[0])) ?? (await proveRace(client, keys[1]));
    } catch (error) {
      await client.remove(keys).catch(() => {});
      if (!(error instanceof StoreUnsupported)) throw error;
      return `the store returned 501 for a PUT with If-None-Match: it does not support conditional writes.`;
    }
    await client.remove(keys);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function proveTwice(client: ObjectClient, key: string): Promise<string | undefined> {
  const first = randomUUID();
  // `exists` may be said of an own write whose answer was lost, so what was stored is what counts.
  await client.create(key, Buffer.from(first));
  if ((await read(client, key)) !== first)
    return 'the store did not return the object that was just created.';
  const again = await client.create(key, Buffer.from(randomUUID()));
  const stored = await read(client, key);
  if (stored !== first) {
    return `the store overwrote an object despite If-None-Match. ${VERSIONING}`;
  }
  return again === 'exists' ? undefined : 'the store reported that it created an object that already exists.';
}

async function proveRace(client: ObjectClient, key: string): Promise<string | undefined> {
  const bodies = Array.from({ length: WRITERS }, () => randomUUID());
  // All of them have ended before the object is removed: none creates it afterwards.
  const ended = await Promise.allSettled(bodies.map((body) => client.create(key, Buffer.from(body))));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  const winners = bodies.filter((_, n) => (ended[n] as PromiseFulfilledResult<string>).value === 'created');
  const stored = await read(client, key);
  if (winners.length > 1) {
    return `the store let ${winners.length} of ${WRITERS} writers create one object. ${VERSIONING}`;
  }
  // No winner: the answer to the one whose body is stored was lost.
  const [winner = bodies.find((body) => body === stored)] = winners;
  return winner !== undefined && winner === stored
    ? undefined
    : 'the store did not keep the object of the writer that created it.';
}

async function read(client: ObjectClient, key: string): Promise<string | undefined> {
  const found = await client.get(key);
  return found && String(await buffer(found.body));
}
