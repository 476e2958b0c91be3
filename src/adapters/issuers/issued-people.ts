import type { PeopleTokens } from '../../application/index.js';
import {
  hasTooManyGroups,
  type PeopleIssuer,
  type Person,
  personOf,
  refuse,
  whyNoAccessToken,
} from '../../domain/index.js';
import type { IssuerKeysOptions } from './issuer-keys.js';
import type { TokenVerifier } from './token-verifier.js';

/** Current issuers of people. */
interface PeopleIssuers {
  readonly peopleIssuers: readonly PeopleIssuer[];
}

/** People by access tokens of issuers. The library that verifies these is loaded with the first one. */
export class IssuedPeople implements PeopleTokens {
  private verifier: Promise<TokenVerifier> | undefined;
  /** Addresses of issuers that have left out groups. */
  private readonly warnedOf = new Set<string>();

  constructor(
    private readonly issuers: PeopleIssuers,
    private readonly options: IssuerKeysOptions = {},
  ) {}

  async personOf(token: string, now: Date): Promise<Person | undefined> {
    const { peopleIssuers } = this.issuers;
    if (peopleIssuers.length === 0) return undefined;
    this.verifier ??= import('./token-verifier.js').then(
      ({ TokenVerifier }) => new TokenVerifier(this.options),
    );
    const verified = await (await this.verifier).verified(
      token,
      peopleIssuers,
      now,
      refuse.accessTokenNotAccepted,
    );
    if (verified === undefined) return undefined;
    const { entries, claims } = verified;
    const why = whyNoAccessToken(verified);
    if (why !== undefined) throw refuse.accessTokenNotAccepted(why);
    const person = personOf(entries, claims);
    if (entries.some((entry) => hasTooManyGroups(entry, claims))) this.warn(String(claims.iss));
    return person;
  }

  /** Once for each issuer. */
  private warn(issuer: string): void {
    if (this.warnedOf.has(issuer)) return;
    this.warnedOf.add(issuer);
    const message =
      'an access token omits the groups of a person because there are too many; rules with groups do not apply to this person. Configure the issuer to send fewer groups';
    this.options.report?.(message, { issuer });
  }
}
