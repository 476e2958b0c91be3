import {
  chooseVersion,
  closestNames,
  type Project,
  quote,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { cutOff } from '../../formats/html/index.js';
import { versionLine } from './locate-version.js';
import { ToolFault } from './tool-fault.js';

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
  const wanted = query.trim().toLowerCase();
  const found = projectsFor(seen, wanted);
  if (found.length === 0)
    throw new ToolFault(`No project for ${quote(query)}. Without 'query', all are listed.`);
  const lines = found.slice(0, MAX_PROJECTS).map((project) => lineOf(seen, project, version));
  const more = found.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more: give a 'query'`] : [])].join('\n');
}

/** By name, those with exactly that name first; else by description; else with similar names. */
function projectsFor(seen: VisibleCatalogue, wanted: string): readonly Project[] {
  const all = seen.listed;
  if (wanted === '') return all;
  const namesOf = ({ directoryName, name, title }: Project) =>
    [directoryName, name, title].map((each) => each.toLowerCase());
  const exact = all.filter((project) => namesOf(project).includes(wanted));
  const named = all.filter(
    (each) => !exact.includes(each) && namesOf(each).some((name) => name.includes(wanted)),
  );
  if (exact.length + named.length > 0) return [...exact, ...named];
  const described = all.filter(({ description }) => description.toLowerCase().includes(wanted));
  if (described.length > 0) return described;
  return closestNames(
    wanted,
    all.map(({ directoryName }) => directoryName),
  ).flatMap((name) => seen.listedProject(name) ?? []);
}

function lineOf(seen: VisibleCatalogue, project: Project, version: string | undefined): string {
  const { directoryName, title, description, listed, latest } = project;
  const own = title.toLowerCase() === directoryName.toLowerCase() ? '' : title;
  const text = [own, description].filter((part) => part !== '').join(': ');
  const about = text === '' ? '' : ` (${cutOff(text, MAX_DESCRIPTION)})`;
  if (version === undefined) {
    const labels = listed.toReversed().map(({ label }) => label);
    const others = labels.length > MAX_VERSIONS ? ', …' : '';
    return `${directoryName}${about}: latest ${latest.label}; ${labels.slice(0, MAX_VERSIONS).join(', ')}${others}`;
  }
  const chosen = chooseVersion(seen, directoryName, version);
  return chosen === undefined
    ? `${directoryName}: nothing fits ${quote(version)}; latest ${latest.label}`
    : versionLine(chosen, version);
}
