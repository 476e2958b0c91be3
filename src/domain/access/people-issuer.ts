import { type Claims, textOfClaim } from '../jobs.js';
import { refuse } from '../refusal/refuse.js';
import type { Person } from './access-policy.js';

/** Max. characters of a person's name. */
const MAX_NAME = 300;
/** Max. lifetime of a token, in seconds: a stolen one is good until its end. */
const MAX_LIFETIME_S = 24 * 60 * 60;
/** `typ` in the header of an access token (RFC 9068, section 2.1; RFC 7519, section 5.1). */
const TYPE = /^(?:application\/)?(?:at\+)?jwt$/i;
/** `typ` that Keycloak writes among the claims of its other tokens. */
const OTHER_TOKEN = /^(?:id|refresh|offline|logout)$/i;
const CONTROL = /\p{Cc}/u;
/** Claims that are lists of words (RFC 8693, section 4.2; Entra ID and Okta). */
const WORDS = new Set(['scope', 'scp']);

/** An entry of `people_issuers`: an authorization server whose access tokens name people. */
export interface PeopleIssuer {
  /** Name of the entry, for people. */
  readonly name: string;
  /** `iss` of its tokens, exactly: an https address. */
  readonly issuer: string;
  /** The token has to have one of these as an `aud`. */
  readonly audience: readonly string[];
  /** Claim with the name of the person, as the access rules have it. */
  readonly user: string;
  /** Claim with the list of the groups of the person. */
  readonly groups?: string | undefined;
  /** Scopes that a client is told to ask for. */
  readonly scopes: readonly string[];
  /** Value that each of these claims has to have, or to contain where it is a list. */
  readonly require: ReadonlyMap<string, string | number | boolean>;
}

/** A token of an issuer of people: signed by it, for one of its audiences, for this time. */
export interface PersonsToken {
  /** `typ` of its header. */
  readonly type: string | undefined;
  readonly claims: Claims;
}

/**
 * Returns why a token is no access token for this server; undefined when it is one. ID tokens are for the client that asked for
 * them (OpenID Connect Core, section 2), and tell nothing of what their holder may read.
 */
export function whyNoAccessToken({ type, claims }: PersonsToken): string | undefined {
  if (type !== undefined && !TYPE.test(type)) return `its type ('typ') is ${JSON.stringify(type)}`;
  const kind = textOfClaim(claims, 'typ');
  if (claims.at_hash !== undefined) return 'it is an ID token';
  if (kind !== undefined && OTHER_TOKEN.test(kind)) return `its claim 'typ' is ${JSON.stringify(kind)}`;
  const { iat, exp } = claims;
  if (typeof iat !== 'number' || typeof exp !== 'number') return "its claim 'iat' or 'exp' is missing";
  return exp - iat > MAX_LIFETIME_S ? 'it is valid for more than 24 hours' : undefined;
}

/**
 * Returns the person whom an access token names, by the first entry that it fits.
 * @param entries with the issuer of the token; at least one
 * @throws Refusal `person_not_accepted` when it fits none
 */
export function personOf(entries: readonly PeopleIssuer[], claims: Claims): Person {
  const audience = textsOf(claims.aud);
  const own = entries.filter((entry) => entry.audience.some((each) => audience.includes(each)));
  const fitting = own.find((entry) => whyNotRequired(entry, claims) === undefined);
  const entry = fitting ?? own[0];
  if (entry === undefined) throw refuse.personNotAccepted("its audience ('aud') is wrong");
  const why = whyNotRequired(entry, claims);
  if (why !== undefined) throw refuse.personNotAccepted(why);
  const name = claims[entry.user];
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME || CONTROL.test(name)) {
    throw refuse.personNotAccepted(
      `its claim '${entry.user}' is not a string of 1 to ${MAX_NAME} characters without control characters`,
    );
  }
  return { kind: 'person', name, groups: groupsIn(entry, claims) };
}

/** Whether an issuer has left the groups of a person out of their token, since they are too many (Entra ID, "groups overage"). */
export function hasTooManyGroups({ groups }: PeopleIssuer, claims: Claims): boolean {
  if (groups === undefined || claims[groups] !== undefined) return false;
  const { _claim_names: names, hasgroups } = claims;
  return hasgroups !== undefined || (typeof names === 'object' && names !== null && groups in names);
}

function groupsIn({ groups: claim }: PeopleIssuer, claims: Claims): readonly string[] {
  const groups = claim === undefined ? undefined : claims[claim];
  if (groups === undefined) return [];
  if (!Array.isArray(groups) || groups.some((each) => typeof each !== 'string' || CONTROL.test(each))) {
    throw refuse.personNotAccepted(
      `its claim '${claim}' is not a list of strings without control characters`,
    );
  }
  return groups;
}

function whyNotRequired({ require }: PeopleIssuer, claims: Claims): string | undefined {
  for (const [claim, value] of require) {
    const isMet = textsOf(claims[claim], WORDS.has(claim)).includes(String(value));
    if (!isMet) return `its claim '${claim}' must be or contain ${JSON.stringify(value)}`;
  }
  return undefined;
}

/** The texts that a claim has: itself, or the elements of a list. @param isWords whether a text is a list of words */
function textsOf(value: unknown, isWords = false): readonly string[] {
  return [value]
    .flat()
    .filter((each) => ['string', 'number', 'boolean'].includes(typeof each))
    .flatMap((each) => (isWords ? String(each).split(' ') : [String(each)]));
}
