export { JsonTokenRegistry } from './json-token-registry.js';
export { TokensFileError } from './tokens-file.js';
