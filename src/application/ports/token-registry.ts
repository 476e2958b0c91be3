import type { Actor } from '../../domain/index.js';

/** What a request proves with who it is from. */
export interface Credential {
  readonly scheme: 'token';
  readonly secret: string;
}

/**
 * Port for finding out who asks. Secrets are compared case-sensitively, in the same time for every secret. Prototype
 * names (`__proto__`, `constructor`) are valid token names.
 */
export interface TokenRegistry {
  /** False for a server without a tokens file, which is read-only. */
  readonly isConfigured: boolean;
  /**
   * Returns the holder of a credential, or undefined when it is not valid at this time. Whether a token has expired by
   * its policy, the caller checks.
   */
  authenticate(credential: Credential, now: Date): Promise<Actor | undefined>;
  /** Returns the holders of all tokens that it knows by name, expired ones as well. */
  holders(): readonly Actor[];
}
