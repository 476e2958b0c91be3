import {
  chooseProjects,
  chooseVersion,
  closestNames,
  decodedComponent,
  findProjects,
  type Project,
  quote,
  SearchTerm,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { cutOff } from '../../formats/html/index.js';
import type { ListedPage, ListPages } from '../pages/list-pages.js';
import {
  closestLine,
  cursorIn,
  cursorLine,
  locateVersion,
  NothingThere,
  shownPath,
  ToolFault,
  versionLine,
} from './tool-texts.js';

export interface PagesQuestion {
  readonly project: string;
  readonly version?: string | undefined;
  /** Directory in the site. */
  readonly under?: string | undefined;
  /** As the answer before said it. */
  readonly cursor?: string | undefined;
}

/** Max. characters of the paths and titles of one answer. */
const MAX_CHARACTERS = 8_000;
/** Pages whose titles are looked up at a time: the titles of fewer pages share too little to be shortened. */
const PAGES_AT_A_TIME = 150;
const MAX_TITLE = 100;
const MAX_PROJECTS = 20;
const MAX_VERSIONS = 8;
const MAX_DESCRIPTION = 160;

/** Lists the pages of a version with their titles, as `llms.txt` does: as the front page links them, then by path. */
export async function listDocs(
  pages: Pick<ListPages, 'pathsBelow' | 'titled'>,
  seen: VisibleCatalogue,
  { project, version, under = '', cursor }: PagesQuestion,
): Promise<string> {
  const chosen = locateVersion(seen, project, version);
  const folder = decodedComponent(under).replace(/^\/+|\/+$/g, '');
  const paths = await pages.pathsBelow(chosen.version, folder === '' ? '' : `${folder}/`);
  if (paths.length === 0)
    throw new ToolFault(`No pages under ${quote(under)}. Leave 'under' out to list all.`);
  const start = cursor === undefined ? 0 : startAt(paths, cursor);
  const titled = await pages.titled(chosen.version, paths.slice(start, start + PAGES_AT_A_TIME));
  const lines: string[] = [];
  let left = MAX_CHARACTERS;
  for (const line of titled.map(pageLine)) {
    left -= line.length + 1;
    if (left < 0 && lines.length > 0) break;
    lines.push(line);
  }
  const end = start + lines.length;
  const more = end < paths.length ? [cursorLine({ at: end, from: 0 })] : [];
  return [versionLine(chosen, version), ...lines, ...more].join('\n');
}

function pageLine({ path, title }: ListedPage): string {
  const shown = shownPath(path);
  return title === path ? shown : `${shown}: ${cutOff(title, MAX_TITLE)}`;
}

function startAt(paths: readonly string[], cursor: string): number {
  const { at, from } = cursorIn(cursor) ?? { at: paths.length, from: 0 };
  if (at >= paths.length || from > 0)
    throw new ToolFault(`No cursor ${quote(cursor)} in this list. Leave 'cursor' out to begin.`);
  return at;
}

export interface ProjectQuestion {
  readonly query?: string | undefined;
  /** As it stands in a manifest or lock file. */
  readonly version?: string | undefined;
}

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
  const lines = found.slice(0, MAX_PROJECTS).map((project) => projectLine(seen, project, version));
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

function projectLine(seen: VisibleCatalogue, project: Project, version: string | undefined): string {
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
