import type { Project } from './project.js';
import { compareNames } from './project-order.js';
import { fold } from './search/search-term.js';

/** The projects of a group, of a tag and of an owner, as far as they are given; whatever the case. */
export interface ProjectFilter {
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
  readonly owner?: string | undefined;
}

/** Returns whether a filter leaves anything out. */
export function isFiltering({ group, tag, owner }: ProjectFilter): boolean {
  return [group, tag, owner].some((each) => each !== undefined);
}

/** A group or a tag as the first project writes it, and the number of projects that have it. */
export interface Facet {
  readonly name: string;
  readonly projects: number;
}

export function filterProjects(
  projects: readonly Project[],
  { group, tag, owner }: ProjectFilter,
): readonly Project[] {
  const filters = (
    [
      [group, 'group'],
      [tag, 'tags'],
      [owner, 'owner'],
    ] as const
  ).flatMap(([wanted, field]) => (wanted === undefined ? [] : [{ field, wanted: fold(wanted) }]));
  return projects.filter(({ docinfo }) =>
    filters.every(({ field, wanted }) => [docinfo[field] ?? ''].flat().some((each) => fold(each) === wanted)),
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
