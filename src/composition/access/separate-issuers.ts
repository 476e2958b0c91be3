import { ConfigFileError } from '../../adapters/json/index.js';

interface Issuer {
  readonly issuer: string;
}

/**
 * Issuers of jobs' tokens, and issuers of people's tokens. No issuer may be both: a job could choose the audience of its token,
 * whose claims name the person who started it.
 */
export class SeparateIssuers {
  private readonly taken: Record<'people_issuers' | 'trusted_issuers', readonly Issuer[]> = {
    people_issuers: [],
    trusted_issuers: [],
  };

  /** @throws ConfigFileError when one of them is among the others; nothing changes then */
  take(field: 'people_issuers' | 'trusted_issuers', issuers: readonly Issuer[]): void {
    const other = field === 'people_issuers' ? 'trusted_issuers' : 'people_issuers';
    const both = issuers.find(({ issuer }) => this.taken[other].some((each) => each.issuer === issuer));
    if (both !== undefined) {
      throw new ConfigFileError([
        `${field}: expected different issuers than ${other}, which also has ${both.issuer}: otherwise the token of a job would count as that of a person`,
      ]);
    }
    this.taken[field] = issuers;
  }
}
