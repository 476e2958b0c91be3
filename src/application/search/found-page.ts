import type { PageKind } from '../../formats/html/index.js';
import type { SearchOptions } from '../ports/search-index.js';
import type { FoundDefinition } from './definitions.js';
import type { PageContent } from './page-content.js';
import type { QueryWord } from './query/parse-query.js';
import type { Place } from './words/page-words.js';

/** Word of a query with the number of searched pages that have it. */
export interface KnownWord extends QueryWord {
  /** Pages that have the word or a synonym, in all revisions together. */
  readonly pages: number;
}

/** A word of a query with its share in the whole: rare words weigh more. The weights of a query add up to 1. */
export interface WeightedWord extends KnownWord {
  readonly weight: number;
  /** Whether the name of the project has it, so that a page need not. */
  readonly isOfProject: boolean;
}

/** Facts from an index on a page that may answer a query, before the page's text is read. */
export interface FoundPage {
  readonly path: string;
  readonly title: string;
  readonly kind: PageKind;
  readonly language: string | undefined;
  /** As `readTo` of `SearchResult`. */
  readonly readTo?: string | undefined;
  /** The least telling place of a word of the query in this page. */
  readonly place: Place;
  /** Whether the page has all words. */
  readonly hasAll: boolean;
  readonly words: readonly WeightedWord[];
  /** Parts of the query that have several words without a space between them, folded. */
  readonly pieces: readonly string[];
  /** The section that explains the name that the query is. */
  readonly definition?: FoundDefinition;
}

/** A page with its text. */
export interface OpenedPage extends FoundPage {
  readonly content: PageContent;
  /** Titles of the pages above it by path, the topmost first. Empty: none is known. */
  readonly way: readonly string[];
}

/** A page that may answer, and the revision that it is in. */
export interface Candidate {
  readonly revision: string;
  readonly page: FoundPage;
  /**
   * Score of a page that lacks words, before its text is read: the sum of the weights of its words, each by its place. The index
   * knows it.
   */
  readonly score?: number | undefined;
  /** Reads the text. Undefined: it cannot be read. */
  open(): OpenedPage | undefined;
}

/** A candidate with what its place among others is made from. */
export interface ScoredCandidate {
  readonly candidate: Candidate;
  readonly score: number;
  /** Reads of its revision; 0 where reads are not counted. */
  readonly timesRead: number;
}

export function scoredCandidate(
  candidate: Candidate,
  score: number,
  reads: SearchOptions['reads'],
): ScoredCandidate {
  return { candidate, score, timesRead: reads?.get(candidate.revision) ?? 0 };
}

/** Pages with all words first, then by score. Equal ones by reads, then by path, so that the order is the same each time. */
export function compareCandidates(a: ScoredCandidate, b: ScoredCandidate): number {
  const { page, revision } = a.candidate;
  const { page: other, revision: otherRevision } = b.candidate;
  const allFirst = Number(other.hasAll) - Number(page.hasAll);
  if (allFirst !== 0) return allFirst;
  if (a.score !== b.score) return b.score - a.score;
  if (a.timesRead !== b.timesRead) return b.timesRead - a.timesRead;
  const [left, right] = [`${page.path}\n${revision}`, `${other.path}\n${otherRevision}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
