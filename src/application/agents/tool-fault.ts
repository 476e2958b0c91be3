import {
  type ChosenProject,
  closestNames,
  closestVersion,
  nameInProject,
  type Project,
  quote,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { shownPath } from './page-path.js';

/** Why a tool has no answer, in a line that says what to do instead. It is for the model that called the tool. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}

/** Nothing that fits is among what the asker may read: with rules, there may be more for others. */
export class NothingThere extends ToolFault {}

const MAX_NAMED = 12;

export function noProject(seen: VisibleCatalogue, name: string): ToolFault {
  const [closest] = closestNames(
    name,
    seen.listed.map(({ directoryName }) => directoryName),
    1,
  );
  const hint =
    closest === undefined ? 'find_project lists what is hosted here.' : `Did you mean '${closest}'?`;
  return new NothingThere(`No project ${quote(name)}. ${hint}`);
}

export function severalProjects(name: string, candidates: readonly ChosenProject[]): ToolFault {
  const named = candidates.slice(0, MAX_NAMED).map(({ project }) => project);
  const more = candidates.length > named.length ? `, and ${candidates.length - named.length} more` : '';
  return new ToolFault(
    `${quote(name)} may be any of ${named.join(', ')}${more}. Pass one of these names as they are.`,
  );
}

/** @param argument name of the argument that a version is passed as */
export function noVersion(project: Project, asked: string, argument: string): ToolFault {
  const { directoryName, listed } = project;
  const hosted = listed.toReversed().map(nameInProject);
  const more = hosted.length > MAX_NAMED ? `, and ${hosted.length - MAX_NAMED} older ones` : '';
  const names = hosted.slice(0, MAX_NAMED).join(', ');
  return new ToolFault(
    `No version of '${directoryName}' fits ${quote(asked)}. ${closestLine(project, asked, argument)}. Hosted: ${names}${more}.`,
  );
}

/** `The closest is 2.0: pass version '2.0'` */
export function closestLine(project: Project, asked: string, argument = 'version'): string {
  const closest = closestVersion(project, asked);
  return `The closest is ${closest}: pass ${argument} '${closest}'`;
}

export function noPage(path: string, closest: readonly string[]): ToolFault {
  const hint =
    closest.length === 0 ? 'search_docs finds pages.' : `Closest: ${closest.map(shownPath).join(', ')}`;
  return new ToolFault(`No page ${quote(path)}. ${hint}`);
}
