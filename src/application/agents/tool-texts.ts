import {
  addressOfSection,
  type ChosenProject,
  type ChosenVersion,
  chooseProjects,
  chooseVersion,
  closestNames,
  closestVersion,
  isDrawn,
  LATEST,
  nameInProject,
  type Project,
  quote,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { MAX_WORDINGS } from '../search/telling-words.js';

/** A question in one wording, or in several. */
export interface Wordings {
  readonly query?: string | undefined;
  readonly queries?: readonly string[] | undefined;
}

/** Characters of a token on average, in documentation. */
const CHARACTERS_PER_TOKEN = 4;
/** Max. projects or versions that a fault names. */
const MAX_NAMED = 12;

/** Reason why a tool has no answer, in a line that says what to do instead, for the model that called the tool. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}

/** Nothing that fits is among what the asker may read: with rules, there may be more for others. */
export class NothingThere extends ToolFault {}

/**
 * Returns the version of a project that is meant.
 * @param name of the project, as people write it
 * @param argument name of the argument that `asked` is
 * @throws ToolFault with what is hosted instead
 */
export function locateVersion(
  seen: VisibleCatalogue,
  name: string,
  asked: string | undefined,
  argument = 'version',
): ChosenVersion {
  const meant = chooseProjects(seen, name);
  if (meant.length > 1) throw severalProjects(name, meant);
  // A project of previews only has no other name.
  const { project: directoryName, version } = meant[0] ?? { project: name };
  const wanted = asked ?? version;
  const chosen = chooseVersion(seen, directoryName, wanted);
  if (chosen !== undefined) return chosen;
  const project = seen.listedProject(directoryName);
  if (project !== undefined) throw noVersion(project, wanted ?? LATEST, argument);
  if (asked?.startsWith('~') === true)
    throw new NothingThere(`No preview ${quote(asked)} of ${quote(name)}.`);
  throw noProject(seen, name);
}

/** `postgres 15.20 (newest that satisfies '~=15'; latest is 17.11)` */
export function versionLine({ project, version, why }: ChosenVersion, asked = ''): string {
  const { latest } = project ?? {};
  const notes = [
    whyText(why, asked === '' ? "in 'project'" : quote(asked)),
    latest === undefined || project?.isLatest(version) ? '' : `latest is ${latest.label}`,
    project?.deprecation(version) === undefined ? '' : 'deprecated',
  ].filter((note) => note !== '');
  const suffix = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  return `${version.project} ${nameInProject(version)}${suffix}`;
}

/** `The closest is 2.0: pass version '2.0'` */
export function closestLine(project: Project, asked: string, argument = 'version'): string {
  const closest = closestVersion(project, asked);
  return `The closest is ${closest}: pass ${argument} '${closest}'`;
}

function noProject(seen: VisibleCatalogue, name: string): ToolFault {
  const names = seen.listed.map(({ directoryName }) => directoryName);
  const [closest] = closestNames(name, names, 1);
  const hint =
    closest === undefined ? 'find_project lists what is hosted here.' : `Did you mean '${closest}'?`;
  return new NothingThere(`No project ${quote(name)}. ${hint}`);
}

function severalProjects(name: string, candidates: readonly ChosenProject[]): ToolFault {
  const named = candidates.slice(0, MAX_NAMED).map(({ project }) => project);
  const more = candidates.length > named.length ? `, and ${candidates.length - named.length} more` : '';
  return new ToolFault(
    `${quote(name)} may be any of ${named.join(', ')}${more}. Pass one of these names as they are.`,
  );
}

/** @param argument name of the argument that a version is passed as */
function noVersion(project: Project, asked: string, argument: string): ToolFault {
  const { directoryName, listed } = project;
  const hosted = listed.toReversed().map(nameInProject);
  const more = hosted.length > MAX_NAMED ? `, and ${hosted.length - MAX_NAMED} older ones` : '';
  const names = hosted.slice(0, MAX_NAMED).join(', ');
  return new ToolFault(
    `No version of '${directoryName}' fits ${quote(asked)}. ${closestLine(project, asked, argument)}. Hosted: ${names}${more}.`,
  );
}

function whyText(why: ChosenVersion['why'], asked: string): string {
  switch (why) {
    case 'label':
      return '';
    case 'latest':
      return 'latest';
    case 'preview':
      return 'a preview';
    case 'alias':
      return `alias ${asked}`;
    case 'exact':
      return `the same as ${asked}`;
    case 'range':
      return `newest that satisfies ${asked}`;
    case 'nearest':
      return `NOT ${asked}, which is not hosted: the nearest with the same first number`;
  }
}

export function noPage(path: string, closest: readonly string[]): ToolFault {
  const hint =
    closest.length === 0 ? 'search_docs finds pages.' : `Closest: ${closest.map(shownPath).join(', ')}`;
  return new ToolFault(`No page ${quote(path)}. ${hint}`);
}

/** The path of a page as agents are shown it: characters with another meaning in an address are percent-encoded. */
export function shownPath(path: string): string {
  return isDrawn(path) ? path : path.replace(/[#?%]/g, encodeURIComponent);
}

/** The path of a section as agents are shown it. */
export function shownSection(path: string, anchor: string | undefined): string {
  if (isDrawn(path)) return `./${addressOfSection(path, anchor)}`;
  return `${shownPath(path)}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Position at which the next answer begins. */
export interface Cursor {
  /** Number of what comes before: pages of a list, blocks of a page. */
  readonly at: number;
  /** Characters of that block that came before; 0 for all of it. */
  readonly from: number;
}

/** Reads a cursor as an answer gave it, such as `12` or `12.4000`. Undefined for anything else. */
export function cursorIn(text: string): Cursor | undefined {
  const [, at, from = '0'] = /^(?:cursor=)?(\d{1,6})(?:\.(\d{1,8}))?$/.exec(text.trim()) ?? [];
  return at === undefined ? undefined : { at: Number(at), from: Number(from) };
}

export function cursorLine({ at, from }: Cursor): string {
  return `more: cursor=${at}${from === 0 ? '' : `.${from}`}`;
}

/**
 * Returns the wordings of a question, each once; none where nothing is asked.
 * @throws ToolFault where there are too many
 */
export function wordingsOf({ query, queries = [] }: Wordings): readonly string[] {
  if (queries.length >= MAX_WORDINGS) throw new ToolFault("Give up to three wordings in 'queries'.");
  const wordings = [query ?? '', ...queries].map((each) => each.replace(/\s+/g, ' ').trim());
  return [...new Set(wordings)].filter((each) => each !== '');
}

export function charactersOf(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}
