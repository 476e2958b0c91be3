import type { TokenPolicy } from '../../domain/index.js';

/**
 * Which token a secret belongs to. The comparison is case-sensitive, over all tokens, and takes the same time
 * whichever token it is. Prototype names (`__proto__`, `constructor`) are names like any other.
 */
export interface TokenRegistry {
  /** False when the server runs without a tokens file: then nothing may be changed at all. */
  readonly isConfigured: boolean;
  /** The policy of the token with this secret, or undefined. */
  find(secret: string): TokenPolicy | undefined;
}
