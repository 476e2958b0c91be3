import { StartError, startError, type VerifyRequest } from '../adapters/cli/index.js';
import { verifyDocs } from '../adapters/filesystem/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import type { Check } from '../application/index.js';
import { interruptible } from './interruptible.js';
import { describeStore, type ObjectStore, storeAddress } from './storage.js';

/** `lectern verify`: compares every version with its archive, and makes anew what differs if `repair` is set. */
export function verify({ storage, repair }: VerifyRequest): AsyncIterable<Check> {
  return 'docs' in storage ? verifyDirectory(storage.docs, repair) : verifyObjects(storage.store, repair);
}

async function* verifyDirectory(docs: string, repair: boolean): AsyncGenerator<Check> {
  const archives = new ZipArchives();
  try {
    yield* verifyDocs(docs, { archives, repair });
  } catch (error) {
    throw startError(`the docs directory ${docs}`, error);
  } finally {
    await archives.close();
  }
}

async function* verifyObjects(store: ObjectStore, repair: boolean): AsyncGenerator<Check> {
  await storeAddress(store.address);
  const { verifyStore } = await import('../adapters/object-store/index.js');
  yield* interruptible(async function* (place) {
    const archives = new ZipArchives();
    place.signal.addEventListener('abort', () => archives.giveUp());
    try {
      yield* verifyStore(store, { archives, repair, ...place });
    } catch (error) {
      if (error instanceof StartError) throw error;
      // An error of the local disk has an errno code and the name of a system call.
      const isOfDisk = (error as NodeJS.ErrnoException).syscall !== undefined;
      throw startError(isOfDisk ? `the temporary directory ${place.directory}` : describeStore(store), error);
    } finally {
      await archives.close();
    }
  });
}
