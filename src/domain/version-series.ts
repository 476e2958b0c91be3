import { compareLabels, isNumbered, isStable, plainNumber, releaseNumbers, type Version } from './version.js';

const SERIES = /^(\d+)(?:\.(\d+))?\.x$/;

/** The versions of one major version, or the versions without a number, newest first. */
export interface VersionSeries {
  /** The first number of all labels; undefined for branches and commits. */
  readonly major: string | undefined;
  /** The releases; all versions where there is no release. */
  readonly versions: readonly Version[];
  /** Pre-releases beside the releases. */
  readonly preReleases: readonly Version[];
}

/**
 * Splits versions into series, newest first.
 * @param versions oldest first, as a project has them
 */
export function inSeries(versions: readonly Version[]): readonly VersionSeries[] {
  const byMajor = new Map<string | undefined, Version[]>();
  for (const version of versions.toReversed()) {
    const major = releaseNumbers(version.label)?.[0];
    byMajor.set(major, [...(byMajor.get(major) ?? []), version]);
  }
  return [...byMajor].map(([major, all]) => {
    const releases = all.filter(({ label }) => isStable(label));
    if (releases.length === 0) return { major, versions: all, preReleases: [] };
    return { major, versions: releases, preReleases: all.filter(({ label }) => !isStable(label)) };
  });
}

/**
 * Returns each version's predecessor, by label: for a release the release before it, for a pre-release the release or
 * pre-release before it. First versions, branches and commits have none.
 * @param versions oldest first, as a project has them
 */
export function versionsBefore(versions: readonly Version[]): ReadonlyMap<string, Version> {
  const before = new Map<string, Version>();
  let last: Version | undefined;
  let lastRelease: Version | undefined;
  for (const version of versions) {
    const { label } = version;
    if (!isNumbered(label)) continue;
    const isRelease = isStable(label);
    const found = isRelease ? lastRelease : last;
    if (found !== undefined) before.set(label, found);
    last = version;
    if (isRelease) lastRelease = version;
  }
  return before;
}

/**
 * Returns the newest stable version of a series; undefined when there is none, or the target names no series.
 * @param target `2.x`: all versions whose number begins with 2; `2.1.x`: with 2.1
 */
export function newestOfSeries<V extends { readonly label: string }>(
  target: string,
  versions: readonly V[],
): V | undefined {
  const [, ...parts] = SERIES.exec(target) ?? [];
  const wanted = parts.filter((part) => part !== undefined).map(plainNumber);
  if (wanted.length === 0) return undefined;
  let newest: V | undefined;
  for (const version of versions) {
    const numbers = releaseNumbers(version.label);
    // Trailing zeros are not kept: 2 is 2.0.
    if (numbers === null || !wanted.every((part, index) => (numbers[index] ?? '0') === part)) continue;
    if (!isStable(version.label)) continue;
    if (newest === undefined || compareLabels(version.label, newest.label) > 0) newest = version;
  }
  return newest;
}
