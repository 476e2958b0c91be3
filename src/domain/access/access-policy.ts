import { ANYBODY, type Reader } from '../catalogue/contents.js';
import { bytesOfEntry, LruCache } from '../lru-cache.js';
import type { Actor, TokenPolicy } from './token-policy.js';

/** Max. bytes of the readers of people that are kept: some thousand people under 1,000 rules. */
const MAX_BYTES = 10_000_000;

/** Whom a rule lets read: everybody, everybody who is signed in, or some of these. */
export type Audience = 'public' | 'signed-in' | People;

/** Some of those who are signed in: whom it names, and the members of groups that it names. Compared case-sensitively. */
export interface People {
  readonly people: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
}

/** Rules that say who may read which project. */
export interface AccessRules {
  /** For projects without a rule of their own. */
  readonly default: Audience;
  /** By name, or by pattern: the beginning of names and a `*`. A name wins over a pattern, a longer pattern over a shorter. */
  readonly projects: ReadonlyMap<string, Audience>;
}

/** Whoever signed in at the proxy in front. */
export interface Person {
  readonly kind: 'person';
  readonly name: string;
  readonly groups: readonly string[];
}

/** Whoever asks without saying who it is. */
export const NOBODY = { kind: 'nobody' } as const;

function isAdmitted(person: Person | typeof NOBODY, audience: Audience): boolean {
  if (audience === 'public') return true;
  if (person.kind === 'nobody') return false;
  if (audience === 'signed-in') return true;
  return audience.people.has(person.name) || person.groups.some((group) => audience.groups.has(group));
}

/** Whoever sends a request: nobody who is known, a person, or the holder of a token. */
export type Principal = typeof NOBODY | Person | Actor;

/**
 * Decides who may read which project. Holders of tokens may read what is public, and what their tokens say; rules for people
 * do not count for them.
 */
export class AccessPolicy {
  /** Those of all rules, the default first. */
  private readonly audiences: readonly Audience[];
  /** Place in `audiences`, by name or pattern. */
  private readonly places: ReadonlyMap<string, number>;
  /** Lengths of the patterns without `*`, longest first. */
  private readonly lengths: readonly number[];
  /** By name and groups. */
  private readonly people = new LruCache<Reader>(MAX_BYTES, (_, key) =>
    bytesOfEntry(key, 500 + 10 * this.audiences.length),
  );
  private readonly tokens = new WeakMap<TokenPolicy, Reader>();
  /** What everybody may read. */
  readonly ofNobody: Reader;

  /** @param edition another text for other rules: rights of readers under one set of rules are not those under another */
  constructor(
    rules: AccessRules,
    private readonly edition: string,
  ) {
    this.audiences = [rules.default, ...rules.projects.values()];
    this.places = new Map([...rules.projects.keys()].map((key, index) => [key, index + 1]));
    const patterns = [...rules.projects.keys()].filter((key) => key.endsWith('*'));
    this.lengths = [...new Set(patterns.map((pattern) => pattern.length - 1))].sort((a, b) => b - a);
    this.ofNobody = this.readerOf(NOBODY);
  }

  /** Whether everybody may read a project. */
  isPublic(project: string): boolean {
    return this.ofNobody.maySee(project);
  }

  /** Returns what a principal may see. Rights are equal for those who may read the same, so that they share views. */
  readerOf(principal: Principal): Reader {
    if ('policy' in principal) {
      const known = this.tokens.get(principal.policy) ?? this.readerWith(principal.policy);
      this.tokens.set(principal.policy, known);
      return known;
    }
    const key = principal.kind === 'nobody' ? '' : JSON.stringify([principal.name, ...principal.groups]);
    return this.people.get(key) ?? this.people.set(key, this.readerWho(principal));
  }

  private readerWho(principal: Person | typeof NOBODY): Reader {
    const admitted = this.audiences.map((audience) => isAdmitted(principal, audience));
    if (!admitted.includes(false)) return ANYBODY;
    const bits = admitted.map((is) => (is ? '1' : '0')).join('');
    return closedReader(`${this.edition} ${bits}`, (project) => admitted[this.placeOf(project)] === true);
  }

  private readerWith(policy: TokenPolicy): Reader {
    const { ofNobody } = this;
    const { readable } = policy;
    if (readable === undefined || ofNobody === ANYBODY) return ANYBODY;
    const maySee = (project: string) => ofNobody.maySee(project) || policy.mayRead(project);
    return closedReader(`${ofNobody.rights} ${readable}`, maySee);
  }

  /** Place of the audience of a project: that of its name, else of the longest pattern, else the default. */
  private placeOf(project: string): number {
    const place = this.places.get(project);
    if (place !== undefined) return place;
    for (const length of this.lengths) {
      if (length > project.length) continue;
      const ofPattern = this.places.get(`${project.slice(0, length)}*`);
      if (ofPattern !== undefined) return ofPattern;
    }
    return 0;
  }
}

/** A reader who is told nothing of projects without a right to them, not even that they are there. */
function closedReader(rights: string, maySee: (project: string) => boolean): Reader {
  return { rights, maySee, mayKnowOf: maySee };
}
