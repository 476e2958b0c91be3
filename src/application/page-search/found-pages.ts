import {
  addressOfSection,
  filterProjects,
  groupsOf,
  type Located,
  type Project,
  tagsOf,
  type Version,
} from '../../domain/index.js';
import {
  MAX_RESULTS,
  type SearchAnswer,
  type SearchFacets,
  type SearchOptions,
  type SearchResult,
} from '../ports/search-index.js';

/** Max. number of values of one facet. */
const MAX_VALUES = 20;

/** A page that was found. */
export interface PageHit extends Located, Omit<SearchResult, 'revision' | 'score'> {
  /** Older versions whose results have the page, newest first. Only of a search in all versions. */
  readonly alsoIn?: readonly Version[];
}

/** Result of a search. */
export interface FoundPages extends Omit<SearchAnswer, 'results' | 'facets' | 'missing'> {
  /** By rank. */
  readonly hits: readonly PageHit[];
  /** Where they were asked for. */
  readonly facets?: FoundFacets;
  /** Versions that are still being read. An older one may have answered for them. */
  readonly indexing: readonly Version[];
}

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

/**
 * Path of a found page from the root of the server, percent-encoded, with the section's anchor. The latest version is
 * addressed by its alias, as readers link to it.
 */
export function pathOfHit({ project, version, path, anchor }: PageHit): string {
  const directory = project?.isLatest(version) ? `${version.project}-latest` : version.directoryName;
  return `/${directory}/${addressOfSection(path, anchor)}`;
}

/** A result in the newest version that has it. */
export interface MergedResult extends SearchResult {
  /** Older versions whose results have the page, newest first. */
  readonly alsoIn?: readonly string[];
}

export interface MergedAnswer extends SearchAnswer {
  readonly results: readonly MergedResult[];
}

/**
 * Makes one answer of those of a project's versions, newest first. Each path comes once, as the newest version has it, by its
 * best place in any version. A version that has not all words as they were typed counts only where none has.
 */
export function mergeVersions(
  answers: readonly SearchAnswer[],
  { limit, offset = 0 }: SearchOptions,
): MergedAnswer {
  const exact = answers.filter(isExact);
  const used = exact.length > 0 ? exact : answers;
  const pages = new Map<string, { result: SearchResult; rank: number; alsoIn: string[] }>();
  for (const { results } of used) {
    for (const [rank, result] of results.entries()) {
      const known = pages.get(result.path);
      if (known === undefined) pages.set(result.path, { result, rank, alsoIn: [] });
      else {
        known.rank = Math.min(known.rank, rank);
        known.alsoIn.push(result.revision);
      }
    }
  }
  const ranked = [...pages.values()].sort((a, b) => a.rank - b.rank);
  const [first] = used;
  const isUnread = used.some(({ total, more, results }) => more || total > results.length);
  return {
    ...{ omittedTerms: [], corrections: [], ...first },
    results: ranked.slice(offset, offset + limit).map(({ result, alsoIn }) => ({ ...result, alsoIn })),
    total: Math.min(MAX_RESULTS, Math.max(ranked.length, ...used.map(({ total }) => total))),
    more: isUnread || ranked.length > MAX_RESULTS,
    missing: answers.flatMap(({ missing }) => missing),
    ...(answers.some(({ incomplete }) => incomplete) ? { incomplete: true } : {}),
  };
}

function mostFirst<T extends PageCount>(counts: readonly T[]): readonly T[] {
  return counts.toSorted((a, b) => b.pages - a.pages || (a.name < b.name ? -1 : 1)).slice(0, MAX_VALUES);
}

function isExact({ results, correctedTo, omittedTerms }: SearchAnswer): boolean {
  return results.length > 0 && correctedTo === undefined && omittedTerms.length === 0;
}
