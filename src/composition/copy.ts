import { join } from 'node:path';
import { type CopyRequest, type Place, StartError, type Storage } from '../adapters/cli/index.js';
import { readYamlDocinfo } from '../adapters/yaml/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { Changes, type CopyStep, copyVersions, type Privacy } from '../application/index.js';
import { interruptible } from './interruptible.js';
import {
  docsDirectoryFacts,
  type OpenStorage,
  storagePlace,
  storeAddress,
  warn,
  withoutCache,
} from './storage.js';

/** `lectern copy`: copies all versions of one docs directory or object store to another. */
export function copy({ from, to, isOnlyWriter }: CopyRequest): AsyncIterable<CopyStep> {
  return interruptible(async function* ({ directory, signal }) {
    await assertApart(from, to);
    const archives = new ZipArchives(readYamlDocinfo);
    signal.addEventListener('abort', () => archives.giveUp());
    const opened: OpenStorage[] = [];
    const open = async (storage: Storage, isReadOnly: boolean, privacy: Privacy) => {
      const parts = { archives, isReadOnly, privacy, report: warn };
      const store = await storagePlace(storage).open(parts);
      opened.push(store);
      // Not everything would be copied, and the exit code would not say so.
      if (store.objects?.doubt !== undefined) {
        throw new StartError('versions are missing in the log of the object store, so nothing is copied');
      }
      return store;
    };
    try {
      // A source is never created.
      if ('docs' in from) await docsDirectoryFacts(from.docs);
      const source = await open(storageOf(from, join(directory, 'from'), false), true, 'unserved');
      if (source.docs.catalogue().projects.length === 0)
        throw new StartError(`${nameOf(from)} holds no versions`);
      // The target is marked before the first project is there: nobody ever serves it without rules.
      const privacy = (await source.mark?.hasPrivate()) ? 'filled' : 'unserved';
      const { docs } = await open(storageOf(to, join(directory, 'to'), isOnlyWriter), false, privacy);
      const target = { docs, changes: new Changes(docs) };
      yield* copyVersions(source.docs, target, { archives, signal });
    } finally {
      for (const { docs } of opened) await docs.close();
      await archives.close();
    }
  });
}

function storageOf(place: Place, directory: string, isOnlyWriter: boolean): Storage {
  if ('docs' in place) return place;
  return { store: { ...place.store, ...withoutCache(directory), isOnlyWriter, directDownloads: false } };
}

/** @throws StartError when both are one place, or one lies in the other */
async function assertApart(from: Place, to: Place): Promise<void> {
  if ('docs' in from && 'docs' in to) {
    const target = await docsDirectoryFacts(to.docs).catch(() => undefined);
    const source = await docsDirectoryFacts(from.docs);
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

function nameOf(place: Place): string {
  return 'docs' in place ? `the docs directory ${place.docs}` : `the object store ${place.store.address}`;
}
