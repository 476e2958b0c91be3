import { ANYBODY, type Reader } from '../catalogue/contents.js';
import { bytesOfEntry, LruCache } from '../lru-cache.js';
import type { Actor, TokenPolicy } from './token-policy.js';

/** Max. bytes of cached readers of people: some thousand people under 1,000 rules. */
const MAX_BYTES = 10_000_000;

/** Readers that a rule admits: everybody, everybody who is signed in, or some of these. */
export type Audience = 'public' | 'signed-in' | People;

/** Some of the people who are signed in, by name or by group. Compared case-sensitively. */
export interface People {
  readonly people: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
}

/** Rules for who may read which project. */
export interface AccessRules {
  /** For projects without a rule of their own. */
  readonly default: Audience;
  /** Keyed by name, or by pattern: a prefix of names and a `*`. A name wins over a pattern, a longer pattern over a shorter. */
  readonly projects: ReadonlyMap<string, Audience>;
}

/** Somebody who signed in at the reverse proxy. */
export interface Person {
  readonly kind: 'person';
  readonly name: string;
  readonly groups: readonly string[];
}

/** Principal of an anonymous request. */
export const NOBODY = { kind: 'nobody' } as const;

function isAdmitted(person: Person | typeof NOBODY, audience: Audience): boolean {
  if (audience === 'public') return true;
  if (person.kind === 'nobody') return false;
  if (audience === 'signed-in') return true;
  return audience.people.has(person.name) || person.groups.some((group) => audience.groups.has(group));
}

/** Sender of a request: anonymous, a person, or the holder of a token. */
export type Principal = typeof NOBODY | Person | Actor;

/**
 * Decides who may read which project. Holders of tokens may read what is public, and what their tokens say; rules for people
 * do not count for them.
 */
export class AccessPolicy {
  /** Audiences of all rules, the default first. */
  private readonly audiences: readonly Audience[];
  /** Place in `audiences`, by name or pattern. */
  private readonly places: ReadonlyMap<string, number>;
  /** Lengths of the patterns without `*`, longest first. */
  private readonly lengths: readonly number[];
  /** Cache keyed by name and groups. */
  private readonly people = new LruCache<Reader>(MAX_BYTES, (_, key) =>
    bytesOfEntry(key, 500 + 10 * this.audiences.length),
  );
  private readonly tokens = new WeakMap<TokenPolicy, Reader>();
  /** Reader for anonymous requests: sees what everybody may read. */
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

/** Returns a reader who learns nothing of projects without a right to them, not even that they exist. */
export function closedReader(rights: string, maySee: (project: string) => boolean): Reader {
  return { rights, maySee, mayKnowOf: maySee };
}
