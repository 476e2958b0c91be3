import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { docStoreContract } from '../contracts/doc-store.js';
import { KEEP_REMOVED_MS } from '../contracts/subjects.js';

const open = async () => {
  const stagings = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  const store = new MemoryDocStore(stagings, KEEP_REMOVED_MS);
  return {
    store,
    believesEveryClock: true,
    stagings,
    another: async () => store,
    dispose: async () => {
      await store.close();
      await rm(stagings, { recursive: true });
    },
  };
};

docStoreContract('MemoryDocStore', open);
