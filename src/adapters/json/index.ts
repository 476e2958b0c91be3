export { AccessFileError, parseAccessFile, readAccessFile } from './access-file.js';
export { EditedElsewhere, editTokensFile } from './edit-tokens-file.js';
export { FollowedFile } from './followed-file.js';
export { JsonTokenRegistry } from './json-token-registry.js';
export { ReloadedTokenRegistry } from './reloaded-token-registry.js';
export { parseRetentionFile, RetentionFileError, readRetentionFile } from './retention-file.js';
export {
  parseTokensFile,
  readTokensFile,
  type TokenEntry,
  TokensFileError,
} from './tokens-file.js';
export { withEntry, withoutEntry } from './tokens-text.js';
