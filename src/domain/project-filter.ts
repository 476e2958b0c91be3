import type { Project } from './project.js';
import { compareNames } from './project-order.js';
import { fold } from './search/search-term.js';

/** The projects of a group, of a tag, or of both; whatever the case. */
export interface ProjectFilter {
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
}

/** A group or a tag as the first project writes it, and the number of projects that have it. */
export interface Facet {
  readonly name: string;
  readonly projects: number;
}

export function filterProjects(
  projects: readonly Project[],
  { group, tag }: ProjectFilter,
): readonly Project[] {
  const [wantedGroup, wantedTag] = [group, tag].map((each) => (each === undefined ? undefined : fold(each)));
  return projects.filter(
    ({ docinfo }) =>
      (wantedGroup === undefined || fold(docinfo.group ?? '') === wantedGroup) &&
      (wantedTag === undefined || docinfo.tags?.some((each) => fold(each) === wantedTag)),
  );
}

/** Returns the groups of projects, by name. */
export function groupsOf(projects: readonly Project[]): readonly Facet[] {
  return facetsIn(projects.flatMap(({ docinfo: { group } }) => group ?? []));
}

/** Returns the tags of projects, by name. */
export function tagsOf(projects: readonly Project[]): readonly Facet[] {
  return facetsIn(projects.flatMap(({ docinfo: { tags } }) => tags ?? []));
}

/** A group and the projects in it; without a name, those in none. */
export interface Group {
  readonly name: string | undefined;
  readonly projects: readonly Project[];
}

/** Splits projects in the order `group` into their groups. */
export function inGroups(projects: readonly Project[]): readonly Group[] {
  const groups = new Map<string, Group & { readonly projects: Project[] }>();
  for (const project of projects) {
    const name = project.docinfo.group;
    const group = groups.get(fold(name ?? '')) ?? { name, projects: [] };
    groups.set(fold(name ?? ''), group);
    group.projects.push(project);
  }
  return [...groups.values()];
}

function facetsIn(names: readonly string[]): readonly Facet[] {
  const facets = new Map<string, Facet>();
  for (const each of names) {
    const { name, projects } = facets.get(fold(each)) ?? { name: each, projects: 0 };
    facets.set(fold(each), { name, projects: projects + 1 });
  }
  return [...facets.values()].sort((a, b) => compareNames(a.name, b.name));
}
