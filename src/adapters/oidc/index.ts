export type { IssuerKeysOptions } from './issuer-keys.js';
export { JobTokenRegistry, type TokensAndIssuers } from './job-token-registry.js';
