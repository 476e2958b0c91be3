import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { docStoreContract, firstLineDocinfo } from '../contracts/doc-store.js';

docStoreContract('MemoryDocStore', async () => {
  const store = new MemoryDocStore(firstLineDocinfo);
  return { store, another: async () => store, dispose: async () => store.close() };
});
