import type { Actor } from '../../domain/index.js';

/** Proof of who a request is from. */
export interface Credential {
  /** `token`: a secret of this server's own. `bearer`: a token that another one has issued, such as that of a CI job. */
  readonly scheme: 'token' | 'bearer';
  readonly secret: string;
}

/** Credential of a reader. A password may be a secret of this server's own, and allows no change. */
export type ReaderCredential = Credential | { readonly scheme: 'password'; readonly secret: string };

/**
 * Port for finding out who asks. Secrets are compared case-sensitively, in the same time for every secret. Prototype
 * names (`__proto__`, `constructor`) are valid token names.
 */
export interface TokenRegistry {
  /** False for a server without a tokens file, which is read-only. */
  readonly isConfigured: boolean;
  /**
   * Returns the holder of a credential, or undefined when it is not valid at this time, or of a scheme that the registry
   * does not know. Whether a token has expired by its policy, the caller checks.
   * @throws Refusal `authentication_required` where there is a reason to tell; `unavailable` when the holder cannot be
   *   found out now
   */
  authenticate(credential: Credential, now: Date): Promise<Actor | undefined>;
  /**
   * Returns the holders of all tokens that it knows by name, expired ones as well, and a job for each trusted issuer, with
   * the rights as they are written.
   */
  holders(): readonly Actor[];
}
