import type { Credential, TokenRegistry } from '../../application/index.js';
import { type Actor, jobOf, refuse, subjectOf, type TrustedIssuer } from '../../domain/index.js';
import type { IssuerKeysOptions } from './issuer-keys.js';
import type { TokenVerifier } from './token-verifier.js';

/**
 * A token registry that takes tokens of jobs from trusted issuers, beside the tokens of another registry. The library that
 * verifies them is loaded with the first one.
 */
export class JobTokenRegistry implements TokenRegistry {
  private verifier: Promise<TokenVerifier> | undefined;

  constructor(
    /** It also says which issuers of job tokens are trusted now. */
    private readonly tokens: TokenRegistry & { readonly issuers: readonly TrustedIssuer[] },
    private readonly options: IssuerKeysOptions = {},
  ) {}

  get isConfigured(): boolean {
    return this.tokens.isConfigured;
  }

  holders(): readonly Actor[] {
    return this.tokens.holders();
  }

  async authenticate(credential: Credential, now: Date): Promise<Actor | undefined> {
    if (credential.scheme !== 'bearer') return this.tokens.authenticate(credential, now);
    const { issuers } = this.tokens;
    if (issuers.length === 0) return undefined;
    this.verifier ??= import('./token-verifier.js').then(
      ({ TokenVerifier }) => new TokenVerifier(this.options),
    );
    const verifier = await this.verifier;
    const verified = await verifier.verified(credential.secret, issuers, now, refuse.jobNotAccepted);
    if (verified === undefined) return undefined;
    const { entries, claims } = verified;
    const job = jobOf(entries, claims);
    if (job !== undefined) return job;
    const why = 'its claims match no entry of trusted_issuers';
    throw refuse.jobNotAccepted(why, subjectOf(claims));
  }
}
