export { ObjectDocStore, type ObjectDocStoreOptions } from './object-doc-store.js';
