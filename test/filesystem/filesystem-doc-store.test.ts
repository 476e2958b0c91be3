import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { docStoreContract, firstLineDocinfo } from '../contracts/doc-store.js';
import { noArchives } from '../support/no-archives.js';

docStoreContract('FilesystemDocStore', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  const stores: FilesystemDocStore[] = [];
  const open = async () => {
    const store = await FilesystemDocStore.open(directory, {
      archives: { ...noArchives, pack: async () => assert.fail('nothing was to be packed') },
      readDocinfo: firstLineDocinfo,
    });
    stores.push(store);
    return store;
  };
  return {
    store: await open(),
    stagings: join(directory, '.lectern', 'incoming'),
    another: open,
    dispose: async () => {
      for (const store of stores) await store.close();
      await rm(directory, { recursive: true });
    },
  };
});
