import { filterProjects, groupsOf, type Project, tagsOf } from '../../domain/index.js';
import type { SearchFacets } from '../ports/search-index.js';

/** A value by which a search can be narrowed, and the number of pages that match with it. */
export interface PageCount {
  readonly name: string;
  readonly pages: number;
}

/** Counts of all pages that match, most pages first. */
export interface FoundFacets {
  readonly projects: readonly (PageCount & { readonly project: Project })[];
  readonly groups: readonly PageCount[];
  readonly tags: readonly PageCount[];
  readonly pageKinds: readonly PageCount[];
}

/** Max. number of values of one facet. */
const MAX_VALUES = 20;

/** Counts of groups and tags follow from those of their projects. @param projects those that were searched */
export function foundFacets(counted: SearchFacets, projects: readonly Project[]): FoundFacets {
  const pagesOf = ({ directoryName }: Project) => counted.projects.get(directoryName) ?? 0;
  const found = projects.filter((project) => pagesOf(project) > 0);
  const sumOf = (having: readonly Project[]) => having.reduce((sum, project) => sum + pagesOf(project), 0);
  return {
    projects: mostFirst(
      found.map((project) => ({ name: project.directoryName, project, pages: pagesOf(project) })),
    ),
    groups: mostFirst(
      groupsOf(found).map(({ name }) => ({ name, pages: sumOf(filterProjects(found, { group: name })) })),
    ),
    tags: mostFirst(
      tagsOf(found).map(({ name }) => ({ name, pages: sumOf(filterProjects(found, { tag: name })) })),
    ),
    pageKinds: mostFirst([...counted.pageKinds].map(([name, pages]) => ({ name, pages }))),
  };
}

function mostFirst<T extends PageCount>(counts: readonly T[]): readonly T[] {
  return counts.toSorted((a, b) => b.pages - a.pages || (a.name < b.name ? -1 : 1)).slice(0, MAX_VALUES);
}
