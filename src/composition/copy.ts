import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CopyRequest, type Place, StartError, type Storage, startError } from '../adapters/cli/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { type CopyStep, copyVersions } from '../application/index.js';
import { interruptible } from './interruptible.js';
import { type OpenStorage, storagePlace, storeAddress } from './storage.js';

/** Milliseconds between two looks for changes by servers, which a copy need not see at once. */
const POLL_MS = 60_000;

/** `lectern copy`: copies all versions of one docs directory or object store to another. */
export function copy({ from, to, isOnlyWriter }: CopyRequest): AsyncIterable<CopyStep> {
  return interruptible(async function* ({ directory, signal }) {
    await assertApart(from, to);
    const archives = new ZipArchives();
    signal.addEventListener('abort', () => archives.giveUp());
    const opened: OpenStorage[] = [];
    const open = async (storage: Storage, isReadOnly: boolean) => {
      const parts = { archives, isReadOnly, report: warn };
      const store = await storagePlace(storage).open(parts);
      opened.push(store);
      return store.docs;
    };
    try {
      // A source is never created.
      if ('docs' in from) await facts(from.docs);
      const source = await open(storageOf(from, join(directory, 'from'), false), true);
      if (source.catalogue().projects.length === 0) throw new StartError(`${nameOf(from)} holds no versions`);
      const target = await open(storageOf(to, join(directory, 'to'), isOnlyWriter), false);
      yield* copyVersions(source, target, { archives, publishers: source, signal });
    } finally {
      for (const { docs } of opened) await docs.close();
      await archives.close();
    }
  });
}

/** Nothing is cached: each archive is read once. */
function storageOf(place: Place, cacheDirectory: string, isOnlyWriter: boolean): Storage {
  if ('docs' in place) return place;
  const use = { pollMs: POLL_MS, isOnlyWriter, cacheDirectory, cacheBytes: 0, directDownloads: false };
  return { store: { ...place.store, ...use } };
}

/** @throws StartError when both are one place, or one lies in the other */
async function assertApart(from: Place, to: Place): Promise<void> {
  if ('docs' in from && 'docs' in to) {
    const target = await facts(to.docs).catch(() => undefined);
    const source = await facts(from.docs);
    if (target === undefined || target.dev !== source.dev || target.ino !== source.ino) return;
    throw new StartError('--from and --to are the same directory');
  }
  const [one, other] = [await objectsOf(from), await objectsOf(to)];
  if (one === undefined || other === undefined) return;
  if (one.endpoint !== other.endpoint || one.bucket !== other.bucket) return;
  if (one.prefix === other.prefix) throw new StartError('--from and --to are the same object store');
  if (one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix)) {
    throw new StartError(
      '--from and --to lie in one another: give prefixes of which neither begins with the other',
    );
  }
}

async function objectsOf(place: Place) {
  if ('docs' in place) return undefined;
  const { address, endpoint } = place.store;
  return { ...(await storeAddress(address)), endpoint: endpoint?.replace(/\/$/, '') };
}

async function facts(docs: string) {
  return stat(docs).catch((error: unknown) => {
    throw startError(`the docs directory ${docs}`, error);
  });
}

function nameOf(place: Place): string {
  return 'docs' in place ? `the docs directory ${place.docs}` : `the object store ${place.store.address}`;
}

function warn(message: string, { err }: { readonly err?: unknown }): void {
  const reason = err instanceof Error ? `: ${err.message}` : '';
  process.stderr.write(`lectern: ${message}${reason}\n`);
}
