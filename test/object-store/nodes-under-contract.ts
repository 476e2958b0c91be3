import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectClient } from '../../src/adapters/object-store/client/object-client.js';
import type { OpenObjectStore } from '../../src/adapters/object-store/index.js';
import { openDocStore } from '../../src/adapters/object-store/open-object-store.js';
import { docStoreContract } from '../contracts/doc-store.js';
import { KEEP_REMOVED_MS } from '../contracts/subjects.js';
import { noArchives } from '../support/no-archives.js';

/**
 * The promises of a DocStore, for nodes on an object store.
 * @param makeBucket makes an empty bucket; resolves to what opens another client of it
 */
export function objectDocStoreContract(
  name: string,
  makeBucket: () => Promise<() => Promise<ObjectClient>>,
  pollMs: number,
): void {
  const openSubject = async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    const openClient = await makeBucket();
    const stores: OpenObjectStore[] = [];
    const open = async () => {
      const store = await openDocStore(await openClient(), {
        archives: noArchives,
        cacheDirectory: join(directory, String(stores.length)),
        cacheBytes: 10_000_000,
        keepRemovedMs: KEEP_REMOVED_MS,
        pollMs,
      });
      stores.push(store);
      return store;
    };
    return {
      store: await open(),
      stagings: join(directory, '0', 'incoming'),
      another: open,
      dispose: async () => {
        for (const store of stores) await store.close();
        await rm(directory, { recursive: true });
      },
    };
  };
  docStoreContract(name, openSubject);
}
