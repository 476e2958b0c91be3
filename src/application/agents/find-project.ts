import {
  chooseProjects,
  chooseVersion,
  closestNames,
  findProjects,
  type Project,
  quote,
  SearchTerm,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { cutOff } from '../../formats/html/index.js';
import { closestLine, NothingThere, versionLine } from './tool-texts.js';

export interface ProjectQuestion {
  readonly query?: string | undefined;
  /** As it stands in a manifest or lock file. */
  readonly version?: string | undefined;
}

const MAX_PROJECTS = 20;
const MAX_VERSIONS = 8;
const MAX_DESCRIPTION = 160;

/** Lists projects with their versions, or the version of each that is meant. */
export function findProject(seen: VisibleCatalogue, { query = '', version }: ProjectQuestion): string {
  const wanted = query.trim();
  const found = wanted === '' ? seen.listed : projectsFor(seen, wanted);
  if (found.length === 0) {
    throw new NothingThere(
      wanted === ''
        ? 'No projects are hosted here.'
        : `No project for ${quote(query)}. Without 'query', all are listed.`,
    );
  }
  const lines = found.slice(0, MAX_PROJECTS).map((project) => lineOf(seen, project, version));
  const more = found.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more: give a 'query'`] : [])].join('\n');
}

/** Projects that are called so, then those with the words in their names, then in their descriptions; else similar names. */
function projectsFor(seen: VisibleCatalogue, wanted: string): readonly Project[] {
  const called = chooseProjects(seen, wanted).flatMap(({ project }) => seen.listedProject(project) ?? []);
  const term = SearchTerm.of(wanted);
  const found = new Set([...called, ...(term === undefined ? [] : findProjects(seen.listed, term))]);
  if (found.size > 0) return [...found];
  const names = seen.listed.map(({ directoryName }) => directoryName);
  return closestNames(wanted, names).flatMap((name) => seen.listedProject(name) ?? []);
}

function lineOf(seen: VisibleCatalogue, project: Project, version: string | undefined): string {
  const { directoryName, title, summary, listed, latest } = project;
  const own = title.toLowerCase() === directoryName.toLowerCase() ? '' : title;
  const text = [own, summary].filter((part) => part !== '').join(': ');
  const about = text === '' ? '' : ` (${cutOff(text, MAX_DESCRIPTION)})`;
  if (version === undefined) {
    const labels = listed.toReversed().map(({ label }) => label);
    const others = labels.length > MAX_VERSIONS ? ', …' : '';
    return `${directoryName}${about}: latest ${latest.label}; ${labels.slice(0, MAX_VERSIONS).join(', ')}${others}`;
  }
  const chosen = chooseVersion(seen, directoryName, version);
  return chosen === undefined
    ? `${directoryName}: nothing fits ${quote(version)}. ${closestLine(project, version)}`
    : versionLine(chosen, version);
}
