import semver from 'semver';
import { SEMANTIC, type VersionId } from './names/version-id.js';
import type { KnownRecord } from './publication-record.js';

/**
 * A published version or preview of a project. The label is as it was uploaded: `1.0.0`, `v2`, `main`, or `pr-123` for a
 * preview; the directory name is its name in the store and in URLs.
 */
export interface Version extends VersionId {
  /**
   * Id of one publication of this version: opaque, new for each publication, never reused. It is the cache key for
   * everything derived from the version's content.
   */
  readonly revision: string;
  /** `upload`: an uploaded archive, which is kept. `copied`: a copied-in directory without an archive. */
  readonly origin: 'upload' | 'copied';
  readonly record: KnownRecord;
}

/** Returns the version of an upload. */
export function versionOf(id: VersionId, revision: string, record: KnownRecord): Version {
  const { project, label, directoryName } = id;
  return { project, label, directoryName, revision, origin: 'upload', record };
}

/**
 * Sort key of a label (contract section 3). The fields follow PEP 440's comparison key
 * (packaging.version `_cmpkey`), with semantic pre-release identifiers in place of its letter and number.
 */
interface Precedence {
  /** Numeric parts without leading zeros and trailing zero parts; `null` for a label with no number. */
  readonly release: readonly string[] | null;
  /** 0: a development release of the number itself; 1: a pre-release; 2: the release, or later. */
  readonly stage: 0 | 1 | 2;
  readonly pre: readonly string[];
  readonly post: string | null;
  readonly dev: string | null;
  /** Parts after the known suffixes: `abc1234` in `1.2.3.post.dev4-abc1234`. */
  readonly rest: readonly string[];
}

const UNNUMBERED: Precedence = { release: null, stage: 2, pre: [], post: null, dev: null, rest: [] };

const NUMBER = /^v?(\d+(?:[._]\d+)*)/i;
/** A date with hyphens, whose month and day would otherwise be read as post-releases. */
const ISO_DATE = /^(v?\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/i;
/** The suffixes of PEP 440 in their normal order, each with its alternative spellings. */
const PEP_440_SUFFIX =
  /^(?:[-_.]?(alpha|a|beta|b|preview|pre|rc|c)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(?:post|rev|r)[-_.]?(\d*))?(?:[-_.]?dev[-_.]?(\d*))?(?=$|[-_.])/i;
const PEP_440_LETTER: Readonly<Record<string, string>> = {
  a: 'alpha',
  alpha: 'alpha',
  b: 'beta',
  beta: 'beta',
  c: 'rc',
  rc: 'rc',
  pre: 'rc',
  preview: 'rc',
};

/** Returns whether the label starts with a number (or `v` and a number). */
export function isNumbered(label: string): boolean {
  return precedenceOf(label).release !== null;
}

/** Returns the numbers of a label without leading zeros and trailing zero parts; null for a label without a number. */
export function releaseNumbers(label: string): readonly string[] | null {
  return precedenceOf(label).release;
}

/**
 * Returns whether the label is no pre-release (contract section 3): no semantic pre-release tag,
 * no PEP 440 pre-release or dev suffix, no other letters after the number.
 */
export function isStable(label: string): boolean {
  const { stage, dev, rest } = precedenceOf(label);
  return stage === 2 && dev === null && !rest.some(hasLetter);
}

/** Kinds of versions, by label. */
export const VERSION_KINDS = ['release', 'pre-release', 'branch', 'commit'] as const;
export type VersionKind = (typeof VERSION_KINDS)[number];

/** Digits and letters as git abbreviates a commit; not `effaced`, `20240115`, or the beta `20240115b1`. */
const COMMIT = /^(?!\d+[abc]\d+$)(?=.*\d)(?=.*[a-f])[0-9a-f]{7,40}$/;

/** Returns what a label names (contract section 6). Order and `isStable` know releases, pre-releases and others only. */
export function versionKind(label: string): VersionKind {
  if (COMMIT.test(label)) return 'commit';
  if (!isNumbered(label)) return 'branch';
  return isStable(label) ? 'release' : 'pre-release';
}

/** Compares labels: negative when `a` is older. A total order: 0 only for the same label. */
export function compareLabels(a: string, b: string): number {
  return compareReleases(a, b) || compareText(a, b);
}

/** Compares labels as versions: like `compareLabels`, but 0 for `1.0` and `v1.0.0`, which are one version in two spellings. */
export function compareReleases(a: string, b: string): number {
  return comparePrecedence(precedenceOf(a), precedenceOf(b));
}

function comparePrecedence(a: Precedence, b: Precedence): number {
  if (a.release === null || b.release === null) {
    return Number(a.release !== null) - Number(b.release !== null);
  }
  return (
    compareNumbers(a.release, b.release) ||
    a.stage - b.stage ||
    compareIdentifierLists(a.pre, b.pre) ||
    compareOptional(a.post, b.post, -1) ||
    compareOptional(a.dev, b.dev, 1) ||
    restRank(a.rest) - restRank(b.rest) ||
    compareIdentifierLists(a.rest, b.rest)
  );
}

/** Cache of sort keys: sorting n versions reads them n log n times. Cleared when full. */
const cache = new Map<string, Precedence>();
const MAX_CACHED = 10_000;

function precedenceOf(label: string): Precedence {
  let precedence = cache.get(label);
  if (precedence === undefined) {
    precedence = readPrecedence(label);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(label, precedence);
  }
  return precedence;
}

function readPrecedence(label: string): Precedence {
  const text = label.split('+', 1)[0] ?? '';
  const [, core, tag] = SEMANTIC.exec(text) ?? [];
  // `1.0.0-post1` is meant as a post-release, though semver defines it as a pre-release.
  if (core !== undefined && !/^post/i.test(tag ?? '')) {
    const pre = tag?.split('.') ?? [];
    const release = releaseOf(core.split('.'));
    return { release, stage: pre.length > 0 ? 1 : 2, pre, post: null, dev: null, rest: [] };
  }

  const dotted = text.replace(ISO_DATE, '$1.$2.$3');
  const number = NUMBER.exec(dotted);
  if (number?.[1] === undefined) return UNNUMBERED;
  const release = releaseOf(number[1].split(/[._]/));
  const tail = dotted.slice(number[0].length);
  const suffix = PEP_440_SUFFIX.exec(tail);
  const rest = tail
    .slice(suffix?.[0].length ?? 0)
    .split(/[-_.]+/)
    .filter((part) => part !== '');
  if (suffix === null || suffix[0] === '') {
    // No known suffix follows the number: letters make the label a pre-release (`1.0-nightly`).
    return rest.some(hasLetter)
      ? { release, stage: 1, pre: rest, post: null, dev: null, rest: [] }
      : { release, stage: 2, pre: [], post: null, dev: null, rest };
  }
  const letter = suffix[1]?.toLowerCase();
  const pre = letter === undefined ? [] : [PEP_440_LETTER[letter] ?? letter, plainNumber(suffix[2])];
  const postNumber = suffix[3] ?? suffix[4];
  const post = postNumber === undefined ? null : plainNumber(postNumber);
  const dev = suffix[5] === undefined ? null : plainNumber(suffix[5]);
  const stage = pre.length > 0 ? 1 : post === null && dev !== null ? 0 : 2;
  return { release, stage, pre, post, dev, rest };
}

function releaseOf(parts: readonly string[]): readonly string[] {
  const numbers = parts.map(plainNumber);
  while (numbers.length > 1 && numbers.at(-1) === '0') numbers.pop();
  return numbers;
}

/** Removes leading zeros. Numbers stay text, so that any length compares without losing precision. */
export function plainNumber(digits: string | undefined): string {
  return (digits ?? '').replace(/^0+(?=\d)/, '') || '0';
}

function compareNumber(a: string, b: string): number {
  return a.length - b.length || compareText(a, b);
}

function compareNumbers(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = compareNumber(a[index] ?? '0', b[index] ?? '0');
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Compares by semver.org 2.0.0, rule 11.4: identifier by identifier; a shorter list comes first. */
function compareIdentifierLists(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const difference = semver.compareIdentifiers(left, right);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareOptional(a: string | null, b: string | null, absent: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? absent : -absent;
  return compareNumber(a, b);
}

function restRank(rest: readonly string[]): number {
  return rest.length === 0 ? 1 : rest.some(hasLetter) ? 0 : 2;
}

function hasLetter(text: string): boolean {
  return /[a-z]/i.test(text);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
