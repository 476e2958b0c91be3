import type { TokenPolicy } from '../../domain/index.js';

/**
 * Port for finding a token by its secret. The comparison is case-sensitive and takes the same time for every
 * secret. Prototype names (`__proto__`, `constructor`) are valid token names.
 */
export interface TokenRegistry {
  /** False for a server without a tokens file, which is read-only. */
  readonly isConfigured: boolean;
  /** Returns the policy of the token with this secret, or undefined. */
  find(secret: string): TokenPolicy | undefined;
}
