import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { docStoreContract } from '../contracts/doc-store.js';
import { KEEP_REMOVED_MS } from '../contracts/subjects.js';
import { FakeArchives, firstLineDocinfo } from '../support/fake-archives.js';
import { noArchives } from '../support/no-archives.js';
import { makeDirectory } from './crash-world.js';

const openSubject = async () => {
  const directory = await makeDirectory();
  const stores: FilesystemDocStore[] = [];
  const open = async () => {
    const store = await FilesystemDocStore.open(directory, {
      archives: {
        ...noArchives,
        pack: async () => assert.fail('nothing was to be packed'),
        unpack: async (request) =>
          new FakeArchives({ 'index.html': await readFile(request.archiveFile, 'utf8') }).unpack(request),
      },
      readDocinfo: firstLineDocinfo,
      keepRemovedMs: KEEP_REMOVED_MS,
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
};

docStoreContract('FilesystemDocStore', openSubject);
