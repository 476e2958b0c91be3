import {
  filterProjects,
  isFiltering,
  isFoundAmongAll,
  isSearched,
  LATEST,
  type Located,
  type Project,
  type ProjectFilter,
  refuse,
  type Version,
  type VisibleCatalogue,
  versionsThatAnswer,
} from '../../domain/index.js';

/** Scope of a search. Projects that the filter leaves out are not searched. */
export interface SearchPlace extends ProjectFilter {
  /** Directory name of the project to search in. */
  readonly project?: string | undefined;
  /** Version of that project: its label, an alias, `latest`, `all`, or `~<name>` of a preview. */
  readonly version?: string | undefined;
}

/** A project, with the versions that may answer, best first. */
export interface Place {
  /** Undefined for a preview of a project without versions. */
  readonly project: Project | undefined;
  readonly versions: readonly Version[];
}

/** Name for all versions of a project; a version or an alias of that name is meant where there is one. */
export const ALL_VERSIONS = 'all';

/**
 * Returns where to search: projects that are not to be searched have no place.
 * @throws Refusal `project_not_found`; `version_not_found`; `preview_not_found`
 */
export function placesOf(seen: VisibleCatalogue, search: SearchPlace): readonly Place[] {
  const { project: name, version: label } = search;
  if (name === undefined) {
    const projects = filterProjects(seen.projects.filter(isFoundAmongAll), search);
    return projects.map((project) => ({ project, versions: versionsThatAnswer(project) }));
  }
  const found = seen.named(name, label ?? LATEST);
  if (found === undefined) throw seen.whyNotNamed(name, label ?? LATEST);
  const isWanted = isSearched(found) && isWithin(found, search);
  return isWanted ? [{ project: found.project, versions: versionsIn(found, label) }] : [];
}

/**
 * Returns the project whose listed versions are all searched; undefined when the search means something else.
 * @throws Refusal `project_not_found`
 */
export function projectOfAll(seen: VisibleCatalogue, search: SearchPlace): Project | undefined {
  const { project: name, version } = search;
  if (name === undefined || version !== ALL_VERSIONS || seen.named(name, ALL_VERSIONS)) return undefined;
  const project = seen.listedProject(name);
  if (project === undefined) throw refuse.projectNotFound(name);
  return project;
}

/** The listed versions of a project that may be searched, newest first. */
export function allVersionsOf(project: Project, search: SearchPlace): readonly Version[] {
  if (!project.isSearched || !isWithin({ project, version: project.latest }, search)) return [];
  return project.listed.toReversed();
}

function isWithin({ project }: Located, filter: ProjectFilter): boolean {
  if (!isFiltering(filter)) return true;
  return project !== undefined && filterProjects([project], filter).length > 0;
}

function versionsIn({ project, version }: Located, label: string | undefined): readonly Version[] {
  if (project === undefined || (label !== undefined && label !== LATEST)) return [version];
  return label === LATEST || isFoundAmongAll(project) ? versionsThatAnswer(project) : [];
}
