import {
  closestNames,
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

const MAX_NAMED = 12;

export function noProject(seen: VisibleCatalogue, name: string): ToolFault {
  const [closest] = closestNames(
    name,
    seen.listed.map(({ directoryName }) => directoryName),
    1,
  );
  const hint =
    closest === undefined ? 'find_project lists what is hosted here.' : `Did you mean '${closest}'?`;
  return new ToolFault(`No project ${quote(name)}. ${hint}`);
}

export function noVersion({ directoryName, listed }: Project, asked: string): ToolFault {
  const hosted = listed.toReversed().map(nameInProject);
  const more = hosted.length > MAX_NAMED ? `, and ${hosted.length - MAX_NAMED} older ones` : '';
  const names = hosted.slice(0, MAX_NAMED).join(', ');
  return new ToolFault(`No version of '${directoryName}' fits ${quote(asked)}. Hosted: ${names}${more}.`);
}

export function noPage(path: string, closest: readonly string[]): ToolFault {
  const hint =
    closest.length === 0 ? 'search_docs finds pages.' : `Closest: ${closest.map(shownPath).join(', ')}`;
  return new ToolFault(`No page ${quote(path)}. ${hint}`);
}
