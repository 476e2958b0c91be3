import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import { ObjectDocStore } from '../../src/adapters/object-store/index.js';
import { docStoreContract, firstLineDocinfo } from '../contracts/doc-store.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { needsCeph, sharedCeph } from '../support/ceph/ceph.js';
import { noArchives } from '../support/no-archives.js';

describe('On a Ceph cluster', needsCeph, () => {
  docStoreContract('ObjectDocStore, each node on another gateway,', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    const bucket = await makeBucket(await sharedCeph());
    const stores: ObjectDocStore[] = [];
    const open = async () => {
      // Each time through the other gateway.
      const store = await ObjectDocStore.open(await bucket.open({ prefix: 'docs/' }), {
        archives: noArchives,
        readDocinfo: firstLineDocinfo,
        cacheDirectory: join(directory, String(stores.length)),
        cacheBytes: 10_000_000,
        pollMs: 1_000,
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
});
