import { type Actor, jobActor } from '../actor.js';
import type { TokenGrants } from '../tokens/token-policy.js';
import { fitsClaimPattern } from './claim-pattern.js';
import { type Claims, textOfClaim } from './claims.js';
import { projectsOfJob } from './job-projects.js';

/** An entry of `trusted_issuers`: the jobs of an issuer of OpenID Connect tokens that may publish, and what they may. */
export interface TrustedIssuer {
  /** Name of the entry, for people. */
  readonly name: string;
  /** `iss` of its tokens, exactly: an https address. */
  readonly issuer: string;
  /** Has to be an `aud` of the token. */
  readonly audience: string;
  /** For each claim its values, of which the job has to have one; `*` stands for any text. */
  readonly claims: ReadonlyMap<string, readonly string[]>;
  /** Elements of `projects` and `read` may be `{claim}`. */
  readonly grants: TokenGrants & { readonly projects: readonly string[] };
}

/**
 * The job that a token is from, by the first entry that fits.
 * @param entries those with the issuer of the token
 * @param claims verified: signed by that issuer, for this time
 * @returns undefined when no entry fits
 */
export function jobOf(entries: readonly TrustedIssuer[], claims: Claims): Actor | undefined {
  const entry = entries.find(
    ({ audience, claims: conditions }) =>
      [claims.aud].flat().includes(audience) &&
      [...conditions].every(([claim, patterns]) => fits(textOfClaim(claims, claim), patterns)),
  );
  if (entry === undefined) return undefined;
  const { name, grants } = entry;
  const { read } = grants;
  return jobActor(name, subjectOf(claims), {
    ...grants,
    projects: grants.projects.flatMap((each) => projectsOfJob(each, claims)),
    ...(read === undefined ? {} : { read: read.flatMap((each) => projectsOfJob(each, claims)) }),
  });
}

/** Whom a token is about (`sub`), as its issuer writes it. */
export function subjectOf(claims: Claims): string {
  return textOfClaim(claims, 'sub') ?? '';
}

function fits(value: string | undefined, patterns: readonly string[]): boolean {
  return value !== undefined && patterns.some((pattern) => fitsClaimPattern(pattern, value));
}
