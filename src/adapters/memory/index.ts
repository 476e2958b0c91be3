export { MemoryDocStore } from './memory-doc-store.js';
export { type MemoryToken, MemoryTokenRegistry } from './memory-token-registry.js';
