export { openCacheDirectory } from './archives/cache-directory.js';
export { BadStoreAddress, parseStoreAddress, type StoreAddress } from './client/store-address.js';
export { StoreUnavailable } from './client/store-errors.js';
export type { ObjectDocStoreOptions } from './object-doc-store.js';
export { type OpenObjectStore, openObjectStore, UnfitStore } from './open-object-store.js';
export { verifyStore } from './verification/verify-store.js';
