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

export function isAdmitted(person: Person | typeof NOBODY, audience: Audience): boolean {
  if (audience === 'public') return true;
  if (person.kind === 'nobody') return false;
  if (audience === 'signed-in') return true;
  return audience.people.has(person.name) || person.groups.some((group) => audience.groups.has(group));
}
