import { onceForEach } from '../by-key.js';
import type { Project } from '../project.js';
import { lifetimeOfDays } from '../quantities.js';
import { isStable, releaseNumbers, type Version } from '../version.js';
import type { RetentionRule, RetentionRules } from './retention-rules.js';

/** A version that a rule removes. */
export interface DueVersion {
  readonly version: Version;
  /** The rule that removes it first. */
  readonly rule: RetentionRule;
  /** Time from which on the rule removes it, in milliseconds since 1970; 0 for a rule without days. */
  readonly dueMs: number;
}

/**
 * Returns the versions that rules remove, now or later, those that go first in front. Never among them: `latest`, what an
 * alias stands for, what somebody has restored, copied-in directories unless the rules say so, and versions whose record
 * cannot be read. Hidden and deprecated versions are like any others.
 *
 * Removing what is due never makes anything else due.
 */
export function retentionPlan(project: Project, rules: RetentionRules): readonly DueVersion[] {
  const stays = new Set([project.latest, ...project.aliases.map(({ version }) => version)]);
  const removers = [
    superfluousReleases(project, rules),
    superfluousPreReleases(project, rules),
    outlivedPreReleases(project, rules),
    oldVersions(project, rules),
  ];
  return project.versions
    .filter((version) => !stays.has(version) && isRemovable(version, rules))
    .flatMap((version) => earliest(removers.flatMap((ends) => ends.get(version) ?? [])))
    .sort((a, b) => a.dueMs - b.dueMs);
}

/** Returns the versions of a plan that go by now. */
export function dueBy(now: Date, plan: readonly DueVersion[]): readonly DueVersion[] {
  return plan.filter(({ dueMs }) => dueMs <= now.getTime());
}

/** The ends that one rule sets. */
type Ends = ReadonlyMap<Version, DueVersion>;

function endsOf(
  rule: RetentionRule,
  versions: readonly Version[],
  endOf: (version: Version) => number,
): Ends {
  return new Map(versions.map((version) => [version, { version, rule, dueMs: endOf(version) }]));
}

function isRemovable({ origin, record }: Version, { copiedIn }: RetentionRules): boolean {
  if (record.restored === true) return false;
  return origin === 'copied' ? copiedIn === true : record.archive !== undefined;
}

function earliest([first, ...others]: readonly DueVersion[]): readonly DueVersion[] {
  if (first === undefined) return [];
  return [others.reduce((least, each) => (each.dueMs < least.dueMs ? each : least), first)];
}

/** Releases past the newest ones of their minor. */
function superfluousReleases({ versions }: Project, { keepPerMinor }: RetentionRules): Ends {
  if (keepPerMinor === undefined) return new Map();
  const byMinor = new Map<string, number>();
  const superfluous = versions.toReversed().filter((version) => {
    const { kind, minor } = kindOf(version);
    if (kind !== 'release') return false;
    const newer = byMinor.get(minor) ?? 0;
    byMinor.set(minor, newer + 1);
    return newer >= keepPerMinor;
  });
  return endsOf('keep_per_minor', superfluous, () => 0);
}

/**
 * Pre-releases past the ones that were published last. Time decides, not the label: labels of daily builds may end with the
 * hash of a commit, and a label such as `2.x` is published again and again.
 */
function superfluousPreReleases({ versions }: Project, { keepPreReleases }: RetentionRules): Ends {
  if (keepPreReleases === undefined) return new Map();
  const preReleases = versions.filter((version) => kindOf(version).kind === 'pre-release');
  // With equal times, the higher label is the newer one.
  const lastFirst = preReleases
    .toReversed()
    .sort((a, b) => b.record.publishedAt.getTime() - a.record.publishedAt.getTime());
  return endsOf('keep_pre_releases', lastFirst.slice(keepPreReleases), () => 0);
}

/**
 * Pre-releases with a final version: the release of the same number, or, since that may have been removed, a later one of
 * the same minor. A pre-release that was published after it, such as `1.0-nightly`, has its days from then on.
 */
function outlivedPreReleases({ versions }: Project, { preReleaseDays }: RetentionRules): Ends {
  if (preReleaseDays === undefined) return new Map();
  /** First publication of the releases that come after, by minor. */
  const finals = new Map<string, number>();
  const ends = new Map<Version, number>();
  for (const version of versions.toReversed()) {
    const { kind, minor } = kindOf(version);
    const final = finals.get(minor);
    const time = version.record.publishedAt.getTime();
    if (kind === 'release') finals.set(minor, Math.min(final ?? time, time));
    else if (kind === 'pre-release' && final !== undefined)
      ends.set(version, Math.max(final, time) + lifetimeOfDays(preReleaseDays));
  }
  return endsOf('pre_release_days', [...ends.keys()], (version) => ends.get(version) ?? 0);
}

function oldVersions({ versions }: Project, { maxAgeDays }: RetentionRules): Ends {
  if (maxAgeDays === undefined) return new Map();
  return endsOf(
    'max_age_days',
    versions,
    ({ record }) => record.publishedAt.getTime() + lifetimeOfDays(maxAgeDays),
  );
}

/** Kind of a version, by its label. */
interface Kind {
  readonly kind: 'release' | 'pre-release' | 'without a number';
  /** The first two numbers of the label: `1.2` of `v1.2.3`, `2.0` of `2`; empty without a number. */
  readonly minor: string;
}

/** Cached by version: a plan is made again after each removal, and parsing thousands of labels takes most of its time. */
const kindOf = onceForEach(({ label }: Version): Kind => {
  const numbers = releaseNumbers(label);
  if (numbers === null) return { kind: 'without a number', minor: '' };
  const minor = [...numbers, '0'].slice(0, 2).join('.');
  return { kind: isStable(label) ? 'release' : 'pre-release', minor };
});
