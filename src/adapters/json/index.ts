export { ConfigFileError } from '../../node/config-file.js';
export { parseAccessFile, readAccessFile } from './access-file.js';
export { EditedElsewhere, editTokensFile, withEntry, withoutEntry } from './edit-tokens-file.js';
export { FollowedFile } from './followed-file.js';
export { JsonTokenRegistry, ReloadedTokenRegistry } from './json-token-registry.js';
export { readRetentionFile } from './retention-file.js';
export {
  parseTokensFile,
  readTokensFile,
  type TokenEntry,
} from './tokens-file.js';
