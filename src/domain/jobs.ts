import { type Actor, jobActor, type TokenGrants } from './access/token-policy.js';
import { isPlainName } from './names/version-id.js';
import { sourceOfJob } from './source/source-of-job.js';

const CLAIM = /^\{([^{}*\s]+)\}$/;
/** A claim whose patterns may only begin after a whole name of an owner. */
const PATH = /^[^/*]+\//;
/** A claim that only a whole value says enough of. */
const WHOLE = /^[^*]+$/;
/**
 * Claims that say whose a job is, and what the value of a condition has to be to name one owner. Owners choose names that
 * begin alike, so `acme*` names nobody.
 */
const OWNER_CLAIMS: Readonly<Record<string, readonly RegExp[]>> = {
  // GitHub, Forgejo and Gitea
  repository_owner: [WHOLE],
  repository_owner_id: [WHOLE],
  repository: [WHOLE, PATH],
  repository_id: [WHOLE],
  enterprise: [WHOLE],
  enterprise_id: [WHOLE],
  // GitLab
  namespace_id: [WHOLE],
  namespace_path: [WHOLE, PATH],
  project_id: [WHOLE],
  project_path: [WHOLE, PATH],
  // Buildkite, Bitbucket, CircleCI
  organization_id: [WHOLE],
  organization_slug: [WHOLE],
  workspaceUuid: [WHOLE],
  repositoryUuid: [WHOLE],
  'oidc.circleci.com/org-id': [WHOLE],
  'oidc.circleci.com/project-id': [WHOLE],
  // Everywhere; the patterns are those of GitHub and GitLab.
  sub: [WHOLE, /^repo:[^/*:]+\//, /^project_path:[^/*:]+\//],
};

/** An entry of `trusted_issuers`: the jobs of an issuer of OpenID Connect tokens that may publish, and their rights. */
export interface TrustedIssuer {
  /** Name of the entry, for people. */
  readonly name: string;
  /** `iss` of its tokens, exactly: an https address. */
  readonly issuer: string;
  /** Required `aud` of the token. */
  readonly audience: string;
  /** Accepted values by claim: the job must have one of each claim's values; `*` matches any text. */
  readonly claims: ReadonlyMap<string, readonly string[]>;
  /** Elements of `projects` and `read` may be `{claim}`. */
  readonly grants: TokenGrants & { readonly projects: readonly string[] };
}

/**
 * The job that a token is from, by the first entry that fits.
 * @param entries with the issuer of the token
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
  const { name, issuer, grants } = entry;
  const { read } = grants;
  const ofJob = {
    ...grants,
    projects: grants.projects.flatMap((each) => projectsOfJob(each, claims)),
    ...(read === undefined ? {} : { read: read.flatMap((each) => projectsOfJob(each, claims)) }),
  };
  const source = sourceOfJob(issuer, (claim) => textOfClaim(claims, claim));
  return jobActor(name, subjectOf(claims), ofJob, source);
}

/** Returns the subject of a token (`sub`), as its issuer writes it. */
export function subjectOf(claims: Claims): string {
  return textOfClaim(claims, 'sub') ?? '';
}

/** Claims of an issuer about a job: the payload of its token (RFC 7519, section 4). */
export type Claims = Readonly<Record<string, unknown>>;

/** A claim as text: a string, or a number or truth value as JSON writes it; undefined for anything else. */
export function textOfClaim(claims: Claims, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Whether a text fits a pattern, in which each `*` matches any text, even an empty one. Compared case-sensitively. */
export function fitsClaimPattern(pattern: string, text: string): boolean {
  const [beginning = '', ...pieces] = pattern.split('*');
  const end = pieces.pop();
  if (end === undefined) return text === pattern;
  if (!text.startsWith(beginning)) return false;
  let position = beginning.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, position);
    if (found === -1) return false;
    position = found + piece.length;
  }
  return text.length - end.length >= position && text.endsWith(end);
}

/** Whether an element of `projects` is a placeholder for the value of a claim: `{repository}`, whole. */
export function isClaimInBraces(element: string): boolean {
  return CLAIM.test(element);
}

/**
 * The projects that an element names, for a job with these claims: itself, or for `{claim}` the part of the claim after
 * its last `/`. Empty if the claim is missing or that part is no valid name of a project, such as `..`.
 */
export function projectsOfJob(element: string, claims: Claims): readonly string[] {
  const [, claim] = CLAIM.exec(element) ?? [];
  if (claim === undefined) return [element];
  const value = textOfClaim(claims, claim);
  const name = value?.slice(value.lastIndexOf('/') + 1);
  return name !== undefined && isPlainName(name) ? [name] : [];
}

/** Names of the claims that can say whose a job is. */
export const OWNER_CLAIM_NAMES: readonly string[] = Object.keys(OWNER_CLAIMS);

/**
 * Whether conditions on claims can only be met by jobs of owners that they name: one of the claims above has values, and
 * each of them names an owner.
 */
export function namesOwner(conditions: ReadonlyMap<string, readonly string[]>): boolean {
  return [...conditions].some(([claim, patterns]) => {
    const forms = Object.hasOwn(OWNER_CLAIMS, claim) ? OWNER_CLAIMS[claim] : undefined;
    if (forms === undefined || patterns.length === 0) return false;
    return patterns.every((pattern) => forms.some((form) => form.test(pattern)));
  });
}

function fits(value: string | undefined, patterns: readonly string[]): boolean {
  return value !== undefined && patterns.some((pattern) => fitsClaimPattern(pattern, value));
}
