import type { DrawnSite } from '../../formats/drawn/drawn-site.js';
import type { Waiter } from './waiter.js';

/** A page of a site, as it was published. */
export interface SitePage {
  /** Path below the site, decoded. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Given for a file that pages are drawn from, which comes before all pages. Absent: it is a page. */
  readonly drawn?: DrawnSite;
}

/** The pages of one publication, read one at a time: the bytes of a page are valid until the next one is asked for. */
export interface SearchableSite {
  /** Some pages from all over the site, which tell what all pages share. `samplePaths` chooses them. */
  sample(): AsyncIterable<SitePage>;
  /** The files that pages are drawn from by a script, and all HTML pages, one after the other. */
  pages(): AsyncIterable<SitePage>;
}

/** Numbers of pages that an index was built from. */
export interface BuiltIndex {
  /** Pages that can be found. Redirects and `noindex` are left out. */
  readonly pages: number;
  /** Pages of which a part was left out, since they exceed a limit of reading. */
  readonly cut: number;
}

/** A publication to search in. */
export interface LiveRevision {
  readonly revision: string;
  /** Name of the project. A word of the query that is in it need not stand in the page. */
  readonly project: string;
}

export interface SearchOptions {
  /** Max. number of results. */
  readonly limit: number;
  /** Results to leave out. @default 0 */
  readonly offset?: number;
  /** Languages of the reader, best first. Pages in others come after these. @default ['en'] */
  readonly languages?: readonly string[] | undefined;
  /** Whether to count all pages that match, by project and by kind. @default false */
  readonly facets?: boolean | undefined;
  /**
   * Whether the query is a question: a page needs any of its words, and comes by the section that answers best. Each of its lines is a
   * wording of it, up to four. `offset` and `facets` don't count. @default false
   */
  readonly isQuestion?: boolean | undefined;
  /** Max. characters of a snippet; it begins where a short one does. @default 220 */
  readonly snippetLength?: number | undefined;
  /** Words that mean the same, both ways, folded to lower case. They count less than the word itself. */
  readonly synonyms?: Synonyms | undefined;
  /** Reads by revision. Among pages with equal scores, those of the most read revision come first. */
  readonly reads?: ReadonlyMap<string, number> | undefined;
  /** Whether results of several revisions with the same title and heading are one, with the others in `sameIn`. @default false */
  readonly isFolded?: boolean | undefined;
  /** Revisions that the reader prefers. Among folded results, theirs come first. */
  readonly preferred?: readonly string[] | undefined;
}

/** Other words by word: those of `k8s` are `['kubernetes']`. */
export type Synonyms = ReadonlyMap<string, readonly string[]>;

/** A part of a snippet. It is text, never HTML. Lines of code end with `\n`; there is no other line break. */
export interface SnippetRun {
  readonly text: string;
  /** Whether the part is what was searched for. */
  readonly isMarked: boolean;
}

/** Kind of place that a result leads to. The first five are things that have a name; `value` is read or set. */
export type HitKind =
  | 'type'
  | 'function'
  | 'option'
  | 'value'
  | 'module'
  | 'section'
  | 'page'
  | 'list'
  | 'release notes';

export interface SearchResult {
  readonly revision: string;
  readonly path: string;
  readonly title: string;
  readonly kind: HitKind;
  /** Section that answers best. None means the page as a whole. */
  readonly heading?: string;
  /** Id of the section, as in the page: not percent-encoded. */
  readonly anchor?: string;
  readonly snippet: readonly SnippetRun[];
  /** Titles of the pages above it by path, the topmost first. */
  readonly way?: readonly string[];
  /** Words of the query, as they were typed, that the page lacks. */
  readonly lacks?: readonly string[];
  /** The last heading that was read of a page that is too long to be read to its end; may be empty. */
  readonly readTo?: string;
  /** Higher is better. Comparable among the first results of one answer only. */
  readonly score: number;
  /** Results of other revisions with the same title and heading, the likeliest first. Only where results are folded. */
  readonly sameIn?: readonly SearchResult[];
}

/** A word of a query that was taken for a typo. */
export interface Correction {
  /** The word as it was typed. */
  readonly from: string;
  /** The word that was searched for. */
  readonly to: string;
}

export interface SearchFacets {
  /** Pages that match, by directory name of the project. */
  readonly projects: ReadonlyMap<string, number>;
  /** Pages that match, by what they are: `guide`, `reference`, `release notes` or `list`. */
  readonly pageKinds: ReadonlyMap<string, number>;
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  /**
   * Results that can be paged through: not the number of all pages that match. Folded ones are one result, as far as pages were
   * read: further down there may turn out to be fewer.
   */
  readonly total: number;
  /** Whether more pages match than `total` counts. */
  readonly more: boolean;
  /** The query with words that are known, if a word was not. */
  readonly correctedTo?: string;
  /** The words that `correctedTo` has instead of others, in the order of the query. */
  readonly corrections: readonly Correction[];
  /** Words, as they were typed, that no page has and that no other word was found for. The results are without them. */
  readonly omittedTerms: readonly string[];
  /** Counts of what matches, where they were asked for. */
  readonly facets?: SearchFacets;
  /** Revisions by their best result, also of those that were not asked for. Given with `facets`. */
  readonly revisions?: readonly string[];
  /** Revisions that have no index, or a damaged one, and were not searched. */
  readonly missing: readonly string[];
  /** Whether the search was stopped before it was done, so that there may be more. Absent: it was not. */
  readonly incomplete?: boolean;
}

export { MAX_RESULTS } from '../../domain/index.js';

/**
 * Port for finding pages by what they say. An index is derived from a publication: it may be lost at any time, and is
 * built again then. Every adapter keeps these promises, which `test/contracts/search-index.ts` checks:
 *
 * - A search looks into the given revisions and no others, whatever else was built.
 * - A revision is found whole or not at all. A revision whose index is missing or damaged is named in `missing`: no failure.
 *   A damaged index is removed.
 * - Building is all or nothing. Building again replaces; a failed one leaves what was there before.
 * - Results are text, never HTML.
 * - A query is what somebody typed: any text is valid, and costs no more than 200 characters and 12 words do. All
 *   words have to be in a page, but for fillers (`how`, `the`) beside two others; only when few pages have them all, those that lack
 *   half of them at most follow, and say which in `lacks`. The last word
 *   also finds longer words, unless many pages have the word itself. A page that has a synonym of a word need not have the
 *   word; a synonym of several words is left out. A word that no page has is replaced by one with a typo less. `"a phrase"`
 *   has to be in the page as it is, and `project:name` searches in one project.
 * - Among pages with equal scores, those of the revision with most reads come first, as far as `reads` are given.
 * - Folded results have one title and heading, and a revision each; pages without a title are not folded. A result that has
 *   all words is not folded with one that lacks some. Whoever pages through all results meets each page once, as a result or
 *   in its `sameIn`. The first is that of a project which words of the query name, else of a preferred revision, else of the one
 *   with most reads, else the best.
 * - In a question, words that tell nothing are left out, and any of the others suffices. Pages are ranked by the section
 *   that answers best.
 * - Facets count all pages that have all words, also more than can be paged through. Where the words of a phrase stand in a
 *   page is not looked at. They are counted last: when the time does not suffice for all revisions, the answer is
 *   `incomplete`.
 * - A search works for a second, and opens 20 million characters of pages. Then it answers with what it has, `incomplete`.
 * - A search that nobody waits for any more ends: with the reason of its signal.
 */
export interface SearchIndex {
  /** @throws what `site` throws, or the reason of `signal`; nothing is left then */
  build(revision: string, site: SearchableSite, signal?: AbortSignal): Promise<BuiltIndex>;
  /** Whether the revision has an index, which may turn out to be damaged. */
  has(revision: string): Promise<boolean>;
  /** Removes the index of a revision. No failure if there is none. */
  drop(revision: string): Promise<void>;
  /** @throws Refusal `unavailable` when too many searches wait; the reason of the signal */
  search(
    query: string,
    live: readonly LiveRevision[],
    options: SearchOptions,
    waiter?: Waiter,
  ): Promise<SearchAnswer>;
  /** Closes all files. Safe to call twice. */
  close(): Promise<void>;
}
