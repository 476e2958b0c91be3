import {
  MAX_RESULTS,
  type SearchAnswer,
  type SearchOptions,
  type SearchResult,
} from '../ports/search-index.js';

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
  const { correctedTo, facets } = first ?? {};
  const isUnread = used.some(({ total, more, results }) => more || total > results.length);
  return {
    results: ranked.slice(offset, offset + limit).map(({ result, alsoIn }) => ({ ...result, alsoIn })),
    total: Math.min(MAX_RESULTS, Math.max(ranked.length, ...used.map(({ total }) => total))),
    more: isUnread || ranked.length > MAX_RESULTS,
    ...(correctedTo === undefined ? {} : { correctedTo }),
    omittedTerms: first?.omittedTerms ?? [],
    corrections: first?.corrections ?? [],
    ...(facets === undefined ? {} : { facets }),
    missing: answers.flatMap(({ missing }) => missing),
    ...(answers.some(({ incomplete }) => incomplete) ? { incomplete: true } : {}),
  };
}

function isExact({ results, correctedTo, omittedTerms }: SearchAnswer): boolean {
  return results.length > 0 && correctedTo === undefined && omittedTerms.length === 0;
}
