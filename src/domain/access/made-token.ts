import type { Day } from '../clock.js';
import type { Refusal } from '../refusal/refusal.js';
import { refuse } from '../refusal/refuse.js';
import { type Actor, coversProject, inBoth, type TokenGrants, TokenPolicy } from './token-policy.js';

/** Max. number of tokens that one token makes. */
export const MAX_MADE_BY_ONE = 100;

/** Max. number of tokens that are made in all. */
export const MAX_MADE = 1_000;

/** A token that the holder of another one has made. */
export interface MadeToken {
  /** Name of the token that made it, which is in the tokens file. */
  readonly maker: string;
  /** Name of its own: as a project may be named. */
  readonly name: string;
  /** SHA-256 of its secret, in lower-case hexadecimal. */
  readonly sha256: string;
  /** The rights that it was given: as far as its maker has them, they count. */
  readonly given: TokenGrants;
  /** A note for people. */
  readonly description?: string | undefined;
  readonly madeAt: Date;
  /** The last day on which it was used. */
  readonly usedOn?: Day | undefined;
}

/** Identity of a made token. Both parts are compared each for itself: a token of the tokens file may be called `<maker>/<name>`. */
export type MadeTokenName = Pick<MadeToken, 'maker' | 'name'>;

/** The name of a made token for people: `<maker>/<name>`. */
export function fullNameOf({ maker, name }: MadeTokenName): string {
  return `${maker}/${name}`;
}

/** A key that no other token has. */
export function madeTokenKey({ maker, name }: MadeTokenName): string {
  return JSON.stringify([maker, name]);
}

/** Whether an actor is the token of the tokens file that has this name: the one that makes tokens under it. */
export function isMaker(actor: Actor, name: string): boolean {
  return actor.kind === 'token' && actor.maker === undefined && actor.name === name;
}

/** The holder of a made token, with the rights that both were given. @param maker the rights of its maker now */
export function madeActor(token: MadeToken, maker: TokenGrants): Actor {
  const name = fullNameOf(token);
  const policy = new TokenPolicy(name, grantsOfMade(token.given, maker));
  return { kind: 'token', name, maker: token.maker, policy };
}

/** The rights of a made token: what it was given, and its maker has as well; every bound of both; never `allowTokens`. */
export function grantsOfMade(given: TokenGrants, maker: TokenGrants): TokenGrants {
  const both = (right: Right) => given[right] === true && maker[right] === true;
  const either = (bound: Bound) => given[bound] === true || maker[bound] === true;
  const projects = inBoth(given.projects, maker.projects);
  const read = inBoth(readableOf(given), readableOf(maker))?.filter((each) => !coversProject(projects, each));
  const ends = [given, maker].flatMap(({ expiresAt }) =>
    expiresAt === undefined ? [] : [expiresAt.getTime()],
  );
  return {
    ...(projects === undefined ? {} : { projects }),
    ...(read === undefined || read.length === 0 ? {} : { read }),
    allowOverwrite: both('allowOverwrite'),
    allowDelete: both('allowDelete'),
    allowManage: both('allowManage'),
    existingProjectsOnly: either('existingProjectsOnly'),
    previewsOnly: either('previewsOnly'),
    ...(ends.length === 0 ? {} : { expiresAt: new Date(Math.min(...ends)) }),
  };
}

/** Checks for `tokens_not_allowed`: whether a token may make one with these rights, which are all its own. */
export function whyNotMake({ name, grants }: TokenPolicy, given: TokenGrants): Refusal | undefined {
  if (grants.allowTokens !== true)
    return refuse.tokensNotAllowed(name, "may not create tokens; use one with 'allow_tokens'");
  const lacks = (what: string) => refuse.tokensNotAllowed(name, `cannot grant more than it has: ${what}`);
  if (given.projects === undefined && grants.projects !== undefined) {
    return lacks("every project; name some in 'projects'");
  }
  const project = given.projects?.find((each) => !coversProject(grants.projects, each));
  if (project !== undefined) return lacks(`project ${project}`);
  const read = given.read?.find((each) => !coversProject(readableOf(grants), each));
  if (read !== undefined) return lacks(`reading project ${read}`);
  const right = RIGHTS.find(([each]) => given[each] === true && grants[each] !== true)?.[1];
  if (right !== undefined) return lacks(`'${right}'`);
  const { expiresAt } = grants;
  if (expiresAt !== undefined && given.expiresAt !== undefined && given.expiresAt > expiresAt) {
    return lacks(`an expiry after its own, ${expiresAt.toISOString()}`);
  }
  return undefined;
}

const RIGHTS = [
  ['allowOverwrite', 'allow_overwrite'],
  ['allowDelete', 'allow_delete'],
  ['allowManage', 'allow_manage'],
] as const;

type Right = (typeof RIGHTS)[number][0];

type Bound = 'existingProjectsOnly' | 'previewsOnly';

/** All that a token may read; undefined for every project. */
function readableOf({ projects, read = [] }: TokenGrants): readonly string[] | undefined {
  return projects && [...projects, ...read];
}
