import type { PageKind } from '../../formats/html/index.js';
import type { PageContent } from './content/page-content.js';
import type { NameStyle } from './names.js';
import type { QueryWord } from './query/parse-query.js';
import type { Place } from './words/page-words.js';

/** A word of a query with its share in the whole: rare words weigh more. The weights of a query add up to 1. */
export interface WeightedWord extends QueryWord {
  readonly weight: number;
  /** Whether the name of the project has it, so that a page need not. */
  readonly isOfProject: boolean;
}

/** A section whose name is the query, or ends with it. */
export interface FoundDefinition {
  /** Index of the section in its page. */
  readonly section: number;
  /** Parts that the name has besides those that were typed. */
  readonly further: number;
  readonly style: NameStyle;
}

/** What an index knows of a page that may answer a query, before the page's text is read. */
export interface FoundPage {
  readonly path: string;
  readonly title: string;
  readonly kind: PageKind;
  readonly language: string | undefined;
  /** The least telling place of a word of the query in this page. */
  readonly place: Place;
  /** Whether the page has all words. */
  readonly hasAll: boolean;
  readonly words: readonly WeightedWord[];
  /** What was typed in one piece and has several words, folded. */
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
  /** Reads the text. Undefined: it cannot be read. */
  open(): OpenedPage | undefined;
}
