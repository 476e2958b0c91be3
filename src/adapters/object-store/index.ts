export type { StoreObserver, StoreRequest } from './client/object-client.js';
export { BadStoreAddress, parseStoreAddress } from './client/store-address.js';
export { ObjectDocStore, type ObjectDocStoreOptions } from './object-doc-store.js';
export { type ObjectStoreSettings, openObjectStore, UnfitStore } from './open-object-store.js';
