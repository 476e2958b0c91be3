import { onceForEach } from '../by-key.js';
import { closestNames } from '../closest-names.js';
import { isPreview } from '../names/version-id.js';
import type { Alias, Project } from '../project.js';
import { fold } from '../search-term.js';
import { LATEST } from '../settings/project-settings.js';
import { compareReleases, isNumbered, isStable, releaseNumbers, type Version } from '../version.js';
import {
  beginningOf,
  firstNamedIn,
  isWithin,
  namesPreRelease,
  parseVersionRange,
  type VersionRange,
} from '../version-range.js';
import { type Located, nameInProject, type VisibleCatalogue } from './contents.js';

/** A version that a manifest or a lock file asks for, and the reason for the choice. */
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
 * @param asked as written in a manifest or lock file: `2.1.3`, `^2.1`, `~=2.1`, `>=1.2,<2`, `v2`, `15`, `latest`
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

/** A project that a name may mean. */
export interface ChosenProject {
  /** Directory name. */
  readonly project: string;
  /** The version that the name means as well, as that of a version's address does: its label, an alias, `~<name>`. */
  readonly version?: string;
}

/** Names of a project, without case and separators. */
interface Names {
  readonly directory: string;
  readonly titles: readonly string[];
}

/**
 * Returns the projects that a name may mean, as people write it: none, one, or several that are called so. The directory name
 * itself wins, then directory names without regard to case, spaces, `_` and `-`, then titles, names of a docinfo and titles of
 * front pages, then the addresses of versions and aliases: `flask-2.1.0`, `flask-lts`.
 */
export function chooseProjects(seen: VisibleCatalogue, name: string): readonly ChosenProject[] {
  if (seen.project(name) !== undefined) return [{ project: name }];
  const wanted = bareName(name);
  if (wanted === '') return [];
  const called = calledSo(seen.listed, wanted);
  if (called.length > 0) return called.map(({ directoryName }) => ({ project: directoryName }));
  const located = seen.locate(name)?.version;
  if (located !== undefined) return [{ project: located.project, version: nameInProject(located) }];
  return seen.listed.flatMap((project) => {
    const version = aliasIn(project, wanted);
    return version === undefined ? [] : [{ project: project.directoryName, version }];
  });
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

function calledSo(projects: readonly Project[], wanted: string): readonly Project[] {
  const byDirectory = projects.filter((project) => namesOf(project).directory === wanted);
  if (byDirectory.length > 0) return byDirectory;
  return projects.filter((project) => namesOf(project).titles.includes(wanted));
}

const namesOf = onceForEach(({ directoryName, title, name, ownTitle }: Project): Names => {
  return { directory: bareName(directoryName), titles: [title, name, ownTitle].map(bareName) };
});

/** Returns the alias of a project whose address is meant. */
function aliasIn(project: Project, wanted: string): string | undefined {
  const { directory } = namesOf(project);
  if (!wanted.startsWith(directory)) return undefined;
  const alias = wanted.slice(directory.length);
  const aliases = [LATEST, ...project.settings.aliases.keys()];
  return aliases.find(
    (each) => bareName(each) === alias && (each === LATEST || project.named(each) !== undefined),
  );
}

/** Returns a name without case and separators. */
export function bareName(name: string): string {
  return fold(name).replaceAll(/[\s_-]+/g, '');
}
