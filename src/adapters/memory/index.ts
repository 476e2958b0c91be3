export { MemoryDocStore } from './memory-doc-store.js';
export { MemorySearchIndex } from './memory-search-index.js';
export { type MemoryToken, MemoryTokenRegistry } from './memory-token-registry.js';
export { MemoryUsageStore } from './memory-usage-store.js';
