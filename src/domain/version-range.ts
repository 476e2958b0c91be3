import { compareReleases, isNumbered, isStable, releaseNumbers } from './version.js';

const MAX_CHARACTERS = 200;
const CONDITION = /^(\^|~=|~>|~|===?|!=|<=|>=|<|>|=)?\s*(.*)$/s;
const HYPHEN = /^(\S+)\s+-\s+(\S+)$/;
const INTERVALS = /^(?:[[(][^[\]()]*[\])],?\s*)+$/;
const INTERVAL = /([[(])([^[\]()]*)([\])])/g;
const VERSION = /^v?\d[\w.+!-]*$/i;
const WILDCARD = /(?:\.[*x])+$/i;

/** A condition of a range. `prefix`: the numbers begin with those of the bound, as `2.1.3` does with `2.1`. */
interface Condition {
  readonly sign: '<' | '<=' | '>' | '>=' | '==' | '!=' | 'prefix' | 'not-prefix';
  /** Version without wildcards: `2.1`, `1.0rc1`. */
  readonly bound: string;
}

/** Versions that a manifest or lock file asks for: any of some lists of conditions, all of which have to hold. */
export interface VersionRange {
  readonly alternatives: readonly (readonly Condition[])[];
}

/**
 * Reads a range as npm, Cargo, PEP 440, RubyGems, Composer and Maven write it: `^2.1`, `~2.1`, `~=2.1`, `~> 2.1`, `>=1.2,<2`,
 * `>=1.2 <2`, `1.x`, `==1.2.*`, `1.2 - 2`, `^1 || ^2`, `[1.0,2.0)`, `*`, and a version alone, which means all that begin with its
 * numbers. A space and a comma join conditions. Undefined: it is none.
 */
export function parseVersionRange(asked: string): VersionRange | undefined {
  const text = asked.trim();
  if (text === '' || text.length > MAX_CHARACTERS) return undefined;
  const alternatives: Condition[][] = [];
  for (const part of INTERVALS.test(text) ? [text] : text.split('||')) {
    const read = alternativesOf(part.trim());
    if (read === undefined) return undefined;
    alternatives.push(...read);
  }
  return { alternatives };
}

/** Whether a label is in a range, whether or not it is stable. */
export function isWithin(label: string, { alternatives }: VersionRange): boolean {
  return isNumbered(label) && alternatives.some((all) => all.every((condition) => holds(label, condition)));
}

/** Whether a range names a pre-release, and so means pre-releases too. */
export function namesPreRelease({ alternatives }: VersionRange): boolean {
  return alternatives.flat().some(({ bound }) => !isStable(bound));
}

/** The version that a range begins with: the first one that it names, unless it excludes that one or what is before. */
export function beginningOf({ alternatives }: VersionRange): string | undefined {
  return alternatives.flat().find(({ sign }) => ['==', '>=', '>', 'prefix'].includes(sign))?.bound;
}

/** The first version that a range names; undefined for any version. */
export function firstNamedIn({ alternatives }: VersionRange): string | undefined {
  return alternatives.flat()[0]?.bound;
}

function alternativesOf(text: string): Condition[][] | undefined {
  if (INTERVALS.test(text)) return intervalsOf(text);
  const [, low, high] = HYPHEN.exec(text) ?? [];
  if (low !== undefined && high !== undefined) {
    const from = boundOf(low);
    const to = boundOf(high);
    if (from === undefined || to === undefined) return undefined;
    const least: Condition = { sign: '>=', bound: from };
    return [[least, { sign: '<=', bound: to }], ...(isStable(to) ? [[least, prefix(to)]] : [])];
  }
  // A sign may stand apart from its version.
  const parts = text.replace(/([<>=~^!])\s+(?=[v\d])/gi, '$1').split(/[\s,]+/);
  const conditions: Condition[] = [];
  for (const part of parts.filter((each) => each !== '')) {
    const read = conditionsOf(part);
    if (read === undefined) return undefined;
    conditions.push(...read);
  }
  return [conditions];
}

/** Maven's: `[1.0,2.0)`, `(,1.0]`, `[1.0]`, several one after the other. */
function intervalsOf(text: string): Condition[][] | undefined {
  const alternatives: Condition[][] = [];
  for (const [, open = '', inside = '', close = ''] of text.matchAll(INTERVAL)) {
    const [low = '', high, ...more] = inside.split(',').map((each) => each.trim());
    const conditions: Condition[] = [];
    for (const [bound, sign] of signsOf(low, high, open === '[', close === ']')) {
      if (bound === '') continue;
      if (!VERSION.test(bound)) return undefined;
      conditions.push({ sign, bound });
    }
    if (more.length > 0) return undefined;
    alternatives.push(conditions);
  }
  return alternatives;
}

function signsOf(
  low: string,
  high: string | undefined,
  isLowIn: boolean,
  isHighIn: boolean,
): readonly (readonly [bound: string, sign: Condition['sign']])[] {
  if (high === undefined) return [[low, '==']];
  return [
    [low, isLowIn ? '>=' : '>'],
    [high, isHighIn ? '<=' : '<'],
  ];
}

function conditionsOf(text: string): Condition[] | undefined {
  const [, sign = '', version = ''] = CONDITION.exec(text) ?? [];
  if (/^[*x]$/i.test(version)) return sign === '' || sign === '==' || sign === '>=' ? [] : undefined;
  const bound = boundOf(version);
  if (bound === undefined) return undefined;
  const isPrefix = WILDCARD.test(version);
  const least: Condition = { sign: '>=', bound };
  const count = numbersOf(bound).length;
  switch (sign) {
    case '^':
      return [least, prefix(bound, Math.min(count, firstThatCounts(bound)))];
    case '~':
      return [least, prefix(bound, Math.min(count, 2))];
    case '~=':
    case '~>':
      return [least, prefix(bound, Math.max(1, count - 1))];
    case '':
      return [isStable(bound) ? prefix(bound) : { sign: '==', bound }];
    case '=':
    case '==':
    case '===':
      return [isPrefix ? prefix(bound) : { sign: '==', bound }];
    case '!=':
      return [isPrefix ? { ...prefix(bound), sign: 'not-prefix' } : { sign: '!=', bound }];
    // `<=2.1.x` has all of 2.1, and `>2.1.x` nothing of it.
    case '<=':
      return [isPrefix ? { sign: '<', bound: nextPrefix(bound) } : { sign: '<=', bound }];
    case '>':
      return [isPrefix ? { sign: '>=', bound: nextPrefix(bound) } : { sign: '>', bound }];
    default:
      return [{ sign: sign as '<' | '>=', bound }];
  }
}

/** The version without wildcards and with at most one `v`; undefined for an invalid version. */
function boundOf(version: string): string | undefined {
  const bound = version.replace(WILDCARD, '');
  return VERSION.test(bound) ? bound : undefined;
}

function prefix(bound: string, count = numbersOf(bound).length): Condition {
  return { sign: 'prefix', bound: numbersOf(bound).slice(0, count).join('.') };
}

/** The numbers that come after all that begin with those of a version: `2.2` after `2.1`. */
function nextPrefix(bound: string): string {
  const numbers = numbersOf(bound);
  return [...numbers.slice(0, -1), BigInt(numbers.at(-1) ?? 0) + 1n].join('.');
}

/** The numbers as they stand, with trailing zeros. */
function numbersOf(bound: string): readonly string[] {
  return /^v?(\d+(?:\.\d+)*)/i.exec(bound)?.[1]?.split('.') ?? [];
}

/** Numbers that stay the same within a caret: up to the first that is not zero. */
function firstThatCounts(bound: string): number {
  const at = numbersOf(bound).findIndex((number) => /[1-9]/.test(number));
  return at === -1 ? Number.POSITIVE_INFINITY : at + 1;
}

function holds(label: string, { sign, bound }: Condition): boolean {
  if (sign === 'prefix') return hasPrefix(label, bound);
  if (sign === 'not-prefix') return !hasPrefix(label, bound);
  const order = compareReleases(label, bound);
  switch (sign) {
    case '<':
      // `<2` has no pre-release of 2 (PEP 440, exclusive ordered comparison).
      return order < 0 && (isStable(label) || !isStable(bound) || !isSameRelease(label, bound));
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
  }
}

function hasPrefix(label: string, bound: string): boolean {
  const numbers = releaseNumbers(label) ?? [];
  return numbersOf(bound).every((number, at) => (numbers[at] ?? '0') === number.replace(/^0+(?=\d)/, ''));
}

function isSameRelease(label: string, bound: string): boolean {
  return releaseNumbers(label)?.join('.') === releaseNumbers(bound)?.join('.');
}
