import { onceForEach } from '../by-key.js';
import type { Project } from '../project.js';
import { filterProjects, type ProjectFilter } from '../project-list.js';
import { bareName, type ChosenVersion, chooseVersion } from './choose-version.js';
import { isFoundAmongAll, isListed, type VisibleCatalogue } from './contents.js';
import { isOrdinary, isTelling } from './ordinary-words.js';

/** A project, and a version of it, that a typed text begins with. */
export interface ProjectInWords extends ChosenVersion {
  readonly project: Project;
  /** The version as it was typed; undefined without one: the latest is meant then. */
  readonly asked?: string;
  /** Rest of the text after them. */
  readonly rest: string;
}

/** Max. characters at the beginning of a text in which a name may be. */
const MAX_CHARACTERS = 100;
/** Kind of the book after the name of the software: `Apache Commons IO API`. */
const KIND =
  /\s+(?:api|(?:api |reference |user )?(?:manual|reference|guide)|(?:programming )?language|developer guide)$/i;
/** `15`, `3.11`, `v2.1.0`, `2.x`. */
const NUMBERS = /^v?\d+(?:\.(?:\d+|[x*]))*$/i;

/** A name by which a project may be meant. */
interface Name {
  readonly project: Project;
  readonly text: string;
  /** The name without case and separators. */
  readonly bare: string;
  /** Directory names come before titles, and titles before parts of them. */
  readonly rank: 0 | 1 | 2;
}

/** The version after a name, and the position of the rest of the text. */
interface Tail extends Pick<ProjectInWords, 'asked'> {
  readonly chosen: ChosenVersion;
  /** Whether a colon or a version makes it a name, whatever the word. */
  readonly isMarked: boolean;
  readonly restAt: number;
}

/**
 * Returns the project that is named in front of a text: `CMake: link with mold`, `python 3.11 new features`. The longest name
 * wins, then a directory name over a title; where several projects are called so, none is meant. A name of ordinary words only
 * counts with a colon or a version behind it, or in the capitals of the project itself. A number behind a name is a version if
 * one that is listed fits it, else it belongs to the rest. Without a telling word in the rest, nothing is meant.
 * @param filter leaves projects out
 */
export function projectInWords(
  seen: VisibleCatalogue,
  text: string,
  filter: ProjectFilter = {},
): ProjectInWords | undefined {
  const start = text.search(/\S/);
  const names = namesIn(seen, endsOfNames(text, start), filter);
  for (const [end, named] of [...names].sort(([a], [b]) => b - a)) {
    const typed = text.slice(start, end);
    const meant = bestOf(named, typed);
    const [{ project } = { project: undefined }, ...others] = meant;
    const tail = project && tailOf(seen, project, text, end);
    if (project === undefined || tail === undefined) continue;
    const isOne = others.every((other) => other.project === project);
    const isName = tail.isMarked || !isOrdinaryName(typed) || isWrittenSo(typed, project);
    const rest = text.slice(tail.restAt);
    // No shorter name is meant in place of a longer one.
    if (!isOne || !isName || !hasTellingWord(rest)) return undefined;
    const { chosen, asked } = tail;
    return { ...chosen, project, ...(asked === undefined ? {} : { asked }), rest };
  }
  return undefined;
}

/** Positions at which a name at the beginning of the text may end, by its bare spelling. */
function endsOfNames(text: string, start: number): ReadonlyMap<string, number> {
  const places = text.slice(0, start + MAX_CHARACTERS).matchAll(/(?<=[^\s_-])(?=[\s_-]|:(?:\s|$)|$)/g);
  return new Map([...places].map(({ index }) => [bareName(text.slice(start, index)), index]));
}

/** The names that may be meant, by where they end: of projects that are found among all, and that the filter leaves in. */
function namesIn(
  seen: VisibleCatalogue,
  ends: ReadonlyMap<string, number>,
  filter: ProjectFilter,
): ReadonlyMap<number, readonly Name[]> {
  const found = new Map<number, Name[]>();
  for (const project of seen.projects) {
    const named = namesOf(project).filter(({ bare }) => ends.has(bare));
    if (named.length === 0 || !isFoundAmongAll(project)) continue;
    if (filterProjects([project], filter).length === 0) continue;
    for (const name of named) {
      const end = ends.get(name.bare) ?? 0;
      found.set(end, [...(found.get(end) ?? []), name]);
    }
  }
  return found;
}

const namesOf = onceForEach((project: Project): readonly Name[] => {
  const titles = [project.title, project.name, project.ownTitle];
  const parts = titles.map((title) => title.replace(KIND, '').replace(/^the\s+/i, ''));
  const nameAt = (rank: Name['rank']) => (text: string) => ({ project, text, bare: bareName(text), rank });
  return [
    nameAt(0)(project.directoryName),
    ...[...new Set(titles)].map(nameAt(1)),
    ...[...new Set(parts)].map(nameAt(2)),
  ].filter(({ bare }) => bare !== '');
});

/** The best of the names that a text may be. */
function bestOf(names: readonly Name[], typed: string): readonly Name[] {
  const exact = names.filter(({ text, rank }) => rank === 0 && text === typed);
  const best = Math.min(...names.map(({ rank }) => rank));
  return exact.length > 0 ? exact : names.filter(({ rank }) => rank === best);
}

/** Whether a name has ordinary words only, even if it is written apart: `set up tools` for `setuptools`. */
function isOrdinaryName(typed: string): boolean {
  const words = typed.toLowerCase().split(/[\s_-]+/);
  return words.every((word) => word.length === 1 || !/\p{L}/u.test(word) || isOrdinary(word));
}

/** Whether a name has capitals inside its words, all as the project writes them: `PyPI`. */
function isWrittenSo(typed: string, project: Project): boolean {
  return /[\p{L}\p{N}]\p{Lu}/u.test(typed) && namesOf(project).some(({ text }) => text === typed);
}

/** Undefined where the name goes on: `flask` in `flask-login`. */
function tailOf(seen: VisibleCatalogue, project: Project, text: string, end: number): Tail | undefined {
  const [colon = ''] = /^\s*:\s+/.exec(text.slice(end)) ?? [];
  const behind = text.slice(end + colon.length);
  const pattern = colon === '' ? /^(\s+|[_-])([^\s:,"']+)[:,]?(?:\s+|$)/ : /^()([^\s:,"']+)[:,]?(?:\s+|$)/;
  const [all = '', separator = '', asked = ''] = pattern.exec(behind) ?? [];
  const isJoined = /[_-]/.test(separator);
  const isPlainNumber = /^\d+$/.test(asked);
  // A number after a colon belongs to the question.
  const version = colon !== '' && isPlainNumber ? undefined : versionIn(seen, project, asked, isJoined);
  if (version !== undefined) {
    // `table 2 columns` is no second version of `table`.
    const isMarked = colon !== '' || !isPlainNumber;
    return { ...version, isMarked, restAt: end + colon.length + all.length };
  }
  const chosen = chooseVersion(seen, project.directoryName);
  if (isJoined || chosen === undefined) return undefined;
  const [space = ''] = /^\s*(?:[–—-]+\s+)?/.exec(behind) ?? [];
  return { chosen, isMarked: colon !== '', restAt: end + colon.length + space.length };
}

/** @param isJoined whether it follows the name as in the address of a version: as a whole, and whatever the word */
function versionIn(seen: VisibleCatalogue, project: Project, word: string, isJoined: boolean) {
  for (const asked of new Set([word, word.toLowerCase()])) {
    const chosen = asked === '' ? undefined : chooseVersion(seen, project.directoryName, asked);
    if (chosen === undefined || !isListed(chosen)) continue;
    const isMeant =
      chosen.why === 'exact' || chosen.why === 'range'
        ? !isJoined && NUMBERS.test(asked)
        : chosen.why !== 'nearest' && (isJoined || /^v?\d/i.test(asked) || !isOrdinary(asked.toLowerCase()));
    if (isMeant) return { chosen, asked };
  }
  return undefined;
}

function hasTellingWord(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.some(isTelling) ?? false;
}
