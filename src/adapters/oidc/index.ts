export type { IssuerKeysOptions } from './issuer-keys.js';
export { JobTokenRegistry } from './job-token-registry.js';
