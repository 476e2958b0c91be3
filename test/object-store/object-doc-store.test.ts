import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObjectDocStore } from '../../src/adapters/object-store/index.js';
import { docStoreContract, firstLineDocinfo } from '../contracts/doc-store.js';
import { type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { noArchives } from '../support/no-archives.js';

docStoreContract('ObjectDocStore on a bucket in memory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  const bucket: MemoryBucket = new Map();
  const stores: ObjectDocStore[] = [];
  const open = async () => {
    const store = await ObjectDocStore.open(new MemoryObjectClient(bucket, 'docs/'), {
      archives: noArchives,
      readDocinfo: firstLineDocinfo,
      cacheDirectory: join(directory, String(stores.length)),
      cacheBytes: 10_000_000,
      pollMs: 100,
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
});
