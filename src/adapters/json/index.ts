export { JsonTokenRegistry } from './json-token-registry.js';
export { parseRetentionFile, RetentionFileError, readRetentionFile } from './retention-file.js';
export { TokensFileError } from './tokens-file.js';
