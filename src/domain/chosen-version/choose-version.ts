import type { Located } from '../catalogue/located.js';
import type { VisibleCatalogue } from '../catalogue/visible-catalogue.js';
import { closestNames } from '../closest/closest-names.js';
import { isPreview } from '../previews/preview.js';
import type { Alias, Project } from '../project.js';
import { LATEST } from '../settings/project-settings.js';
import { compareReleases, isNumbered, isStable, releaseNumbers, type Version } from '../version.js';
import {
  beginningOf,
  firstNamedIn,
  isWithin,
  namesPreRelease,
  parseVersionRange,
  type VersionRange,
} from './version-range.js';

/** A version that is meant by what stands in a manifest or a lock file, and why it was taken. */
export interface ChosenVersion extends Located {
  /**
   * `label`, `alias`, `preview`, `latest`: it has that name. `exact`: its label is another spelling (`v2.1` for `2.1.0`).
   * `range`: the newest in the range. `nearest`: none is in the range; this one has the same first number.
   */
  readonly why: 'label' | 'alias' | 'preview' | 'latest' | 'exact' | 'range' | 'nearest';
}

/**
 * Returns the version of a project that is meant: by its label, an alias or `~<name>` of a preview, then by a range, in which the
 * newest stable one counts, and a pre-release only where the range names one. Hidden versions have to be named. Undefined: none
 * fits, and none has the same first number.
 * @param asked as it stands in a manifest or lock file: `2.1.3`, `^2.1`, `~=2.1`, `>=1.2,<2`, `v2`, `15`, `latest`
 */
export function chooseVersion(
  seen: VisibleCatalogue,
  name: string,
  asked: string = LATEST,
): ChosenVersion | undefined {
  const wanted = unquoted(asked);
  const named = seen.named(name, wanted);
  if (named !== undefined) return { ...named, why: whyNamed(named.version, wanted) };
  const project = seen.listedProject(name);
  const range = parseVersionRange(wanted);
  if (project === undefined || range === undefined) return undefined;
  const bare = wanted.replace(/^(?:={1,3})\s*/, '');
  const same = project.listed.findLast(({ label }) => isSpelledOtherwise(label, bare));
  if (same !== undefined) return { project, version: same, why: 'exact' };
  const inside = newestIn(project, range);
  if (inside !== undefined) return { project, version: inside, why: 'range' };
  const nearest = nearestTo(project, beginningOf(range));
  return nearest && { project, version: nearest, why: 'nearest' };
}

/**
 * Returns the listed version that is closest to what no version fits: by the first number of a version or range, the older of two
 * that are as close; else a label or alias that is spelled like it; else the latest version.
 * @returns its label or an alias
 */
export function closestVersion(project: Project, asked: string): string {
  const wanted = unquoted(asked);
  const range = parseVersionRange(wanted);
  const bound = range && firstNamedIn(range);
  const labels = project.listed.map(({ label }) => label);
  const numbered = bound === undefined ? [] : labels.filter(isNumbered);
  if (bound === undefined || numbered.length === 0) {
    const [similar] = closestNames(
      wanted,
      [...labels, ...project.aliases.filter(isThere).map(({ alias }) => alias)],
      1,
    );
    return similar ?? project.latest.label;
  }
  const isUpTo = (label: string) => compareReleases(label, bound) <= 0;
  const before = numbered.findLast(isUpTo);
  const after = numbered.find((label) => !isUpTo(label));
  const distance = (label: string) => Math.abs(firstNumber(label) - firstNumber(bound));
  if (before === undefined || after === undefined) return before ?? after ?? project.latest.label;
  return distance(after) < distance(before) ? after : before;
}

function isThere({ version, isShadowed }: Alias): boolean {
  return version !== undefined && !isShadowed;
}

function firstNumber(label: string): number {
  return Number(releaseNumbers(label)?.[0] ?? 0);
}

function unquoted(asked: string): string {
  return asked
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
}

function whyNamed(version: Version, wanted: string): ChosenVersion['why'] {
  if (version.label === wanted) return 'label';
  if (isPreview(version)) return 'preview';
  return wanted === LATEST ? 'latest' : 'alias';
}

/** Whether a label is the version that was asked for by three numbers or more, with a `v` or without later zeros: `v2.1`. */
function isSpelledOtherwise(label: string, bare: string): boolean {
  return /^v?\d+\.\d+\.\d/i.test(bare) && compareReleases(label, bare) === 0;
}

function newestIn(project: Project, range: VersionRange): Version | undefined {
  const inside = project.listed.filter(({ label }) => isWithin(label, range));
  const stable = inside.findLast(({ label }) => isStable(label));
  return stable ?? (namesPreRelease(range) ? inside.at(-1) : undefined);
}

/** The newest stable version up to a label that has its first number, else the oldest after it. */
function nearestTo(project: Project, label: string | undefined): Version | undefined {
  const major = label === undefined ? undefined : releaseNumbers(label)?.[0];
  if (label === undefined || major === undefined) return undefined;
  const ofMajor = project.listed.filter(
    (version) => isStable(version.label) && releaseNumbers(version.label)?.[0] === major,
  );
  return ofMajor.findLast((version) => compareReleases(version.label, label) <= 0) ?? ofMajor[0];
}
