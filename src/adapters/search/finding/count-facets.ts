import type { SearchFacets } from '../../../application/ports/search-index.js';
import { FacetCounts, PAGE_KINDS } from '../../../application/search/index.js';
import type { DatabaseReader } from './database-reader.js';
import type { RevisionSearch } from './revision-search.js';

/** Counts the pages of some revisions that have all words, as far as the budget suffices. */
export function countFacets(
  searches: readonly RevisionSearch[],
  asPrefix: boolean,
  reader: DatabaseReader,
): SearchFacets {
  const counts = new FacetCounts();
  for (const search of searches) {
    const pages = reader.read(search.revision, 1, (database) => {
      const expression = search.tiersOfAll(database, asPrefix).tiers.at(-1)?.expression;
      return expression === undefined ? [] : database.countKinds(expression);
    });
    for (const [kind, count] of (pages ?? []).entries())
      counts.add(search.project, PAGE_KINDS[kind] ?? 'guide', count);
  }
  return counts;
}

/** All pages that were counted. */
export function sumOf({ projects }: SearchFacets): number {
  return [...projects.values()].reduce((sum, pages) => sum + pages, 0);
}
