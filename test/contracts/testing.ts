// Names of the package's entry point `lectern/testing`.
export { docStoreContract } from './doc-store.js';
export {
  type DocStoreSubject,
  KEEP_REMOVED_MS,
  type MakeTokenRegistry,
  type RegisteredTokens,
} from './subjects.js';
export { tokenRegistryContract } from './token-registry.js';
