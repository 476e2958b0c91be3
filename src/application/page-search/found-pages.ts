import {
  addressOfSection,
  filterProjects,
  groupsOf,
  type Located,
  type Project,
  type ProjectInWords,
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
export interface PageHit extends Located, Omit<SearchResult, 'revision' | 'score' | 'sameIn'> {
  /** Pages of other projects with the same title and heading, the likeliest first. */
  readonly sameIn?: readonly PageHit[];
  /** Older versions whose results have the page, newest first. Only of a search in all versions. */
  readonly alsoIn?: readonly Version[];
}

/** Result of a search. */
export interface FoundPages extends Omit<SearchAnswer, 'results' | 'facets' | 'revisions' | 'missing'> {
  /** Sorted by rank. */
  readonly hits: readonly PageHit[];
  /** Undefined where they were not asked for. */
  readonly facets?: FoundFacets;
  /** The project that the query names, where only that one was searched, for the rest of the query. */
  readonly inWords?: ProjectInWords;
  /** Versions that are still being read. An older one may have answered for them. */
  readonly indexing: readonly Version[];
}

/** Whether a search of all that there is to search found nothing. */
export function foundNothing({ total, indexing, incomplete }: FoundPages): boolean {
  return total === 0 && indexing.length === 0 && incomplete !== true;
}

/** A value by which a search can be narrowed, and the number of pages that match with it. */
export interface PageCount<Name = string> {
  readonly name: Name;
  readonly pages: number;
}

/**
 * Counts of all pages that match. Projects, groups and tags come in the order of their best results, then those without a
 * result among the ranked ones, most pages first. Kinds of pages come by pages.
 */
export interface FoundFacets {
  readonly projects: readonly (PageCount & { readonly project: Project })[];
  /** Without a name: projects in no group, where others are in one. */
  readonly groups: readonly PageCount<string | undefined>[];
  readonly tags: readonly PageCount[];
  readonly pageKinds: readonly PageCount[];
}

/**
 * Counts of groups and tags follow from those of their projects.
 * @param projects those that were searched
 * @param ranked names of projects by their best results
 */
export function foundFacets(
  counted: SearchFacets,
  projects: readonly Project[],
  ranked: readonly string[],
): FoundFacets {
  const rankOf = new Map([...new Set(ranked)].map((name, rank) => [name, rank]));
  const found = projects.filter(({ directoryName }) => counted.projects.has(directoryName));
  const value = <Name>(name: Name, having: readonly Project[]) => ({
    name,
    pages: having.reduce((sum, { directoryName }) => sum + (counted.projects.get(directoryName) ?? 0), 0),
    rank: Math.min(...having.map(({ directoryName }) => rankOf.get(directoryName) ?? Infinity)),
  });
  const inNone = filterProjects(found, { ungrouped: true });
  const groups = groupsOf(found).map(({ name }) => value(name, filterProjects(found, { group: name })));
  return {
    projects: bestFirst(found.map((project) => ({ ...value(project.directoryName, [project]), project }))),
    groups: bestFirst<Ranked & PageCount<string | undefined>>(
      groups.length === 0 || inNone.length === 0 ? groups : [...groups, value(undefined, inNone)],
    ),
    tags: bestFirst(tagsOf(found).map(({ name }) => value(name, filterProjects(found, { tag: name })))),
    pageKinds: bestFirst([...counted.pageKinds].map(([name, pages]) => ({ name, pages, rank: 0 }))),
  };
}

interface Ranked {
  /** Place of the best result; Infinity without one. */
  readonly rank: number;
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

function bestFirst<T extends Ranked & PageCount<string | undefined>>(
  values: readonly T[],
): readonly Omit<T, 'rank'>[] {
  return values
    .toSorted(
      (a, b) =>
        (a.rank === b.rank ? 0 : a.rank - b.rank) ||
        b.pages - a.pages ||
        ((a.name ?? '') < (b.name ?? '') ? -1 : 1),
    )
    .slice(0, MAX_VALUES)
    .map(({ rank: _, ...value }) => value);
}

function isExact({ results, correctedTo, omittedTerms }: SearchAnswer): boolean {
  return results.length > 0 && correctedTo === undefined && omittedTerms.length === 0;
}
