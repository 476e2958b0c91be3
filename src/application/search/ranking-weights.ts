import type { PageKind } from '../../formats/html/index.js';
import type { NameStyle } from './definitions.js';
import type { Place } from './words/page-words.js';

/*
 * All weights and thresholds of the ranking; what an index keeps of a page is decided in `words/page-words.ts`. Each belongs
 * to a set of queries, and none to a single one:
 * - judged: `three` and `all` of `test/judged/queries.json`; hold-out: `holdOut` there, which nothing was chosen by
 * - symbols: names drawn from the sites by `test/judged/symbols.ts`
 * - contract: the promises of `test/contracts/search-index.ts`
 */

/** Candidates that all revisions together should give, and bounds of what each one gives. For judged. */
export const MAX_CANDIDATES = 600;
export const MIN_CANDIDATES_OF_REVISION = 4;
export const MAX_CANDIDATES_OF_REVISION = 200;
/** Pages with all words from which on less telling places are not searched. For judged. */
export const MIN_CANDIDATES_TO_STOP = 240;
/** Pages with the last word itself below which longer words count, too. For judged and the contract. */
export const MIN_PAGES_WITH_LAST_WORD = 30;
/** Pages with all words below which pages with most of them follow. For judged and the contract. */
export const MIN_PAGES_WITH_ALL = 5;
/** Max. definitions of a name in one revision. For symbols. */
export const MAX_DEFINITIONS_OF_NAME = 24;

/** Share of the sections of a page that have to explain identifiers for it to be reference. For the contract. */
export const MIN_DEFINING = 1 / 3;

/** Characters of a snippet, and of those before the first word that was found. For reading: about two lines. */
export const MAX_SNIPPET = 220;
export const MAX_BEFORE_FIRST_WORD = 60;
/** Min. likeness of a word that is marked: a part of an identifier is. For the contract. */
export const MIN_MARKED_LIKENESS = 0.5;

/** Weights of the scores: factors, and parts that are added up. */
export const RANKING = {
  /** Score of a page whose words stand in this place at least, before its text is read. For judged. */
  place: {
    about: 1,
    title: 0.8,
    names: 0.7,
    headings: 0.5,
    often: 0.4,
    body: 0.2,
    lists: 0.1,
  } satisfies Record<Place, number>,
  /** Factors by kind of page, for a search that does not ask for the kind. For judged and the contract. */
  kind: {
    ordinary: 1,
    past: 0.75,
    'release-notes': 0.6,
    sample: 0.6,
    source: 0.35,
    'generated-list': 0.35,
  } satisfies Record<PageKind, number>,
  /** Factor of a page in a language that the reader has not asked for. For the contract. */
  otherLanguage: 0.6,

  /** Likeness of a word with the same stem, of an identifier that has it as a part, and of a longer word. For judged. */
  stemmed: 0.95,
  part: 0.5,
  prefix: 0.55,
  /** Likeness of a synonym: more than that of a part, so that it is marked in snippets. For the contract. */
  synonym: 0.6,

  /** Weight of a word that all pages of a project are about, compared with elsewhere. For judged. */
  ofProject: 0.25,
  /** Weight of a word that says nothing beside others, compared with one that tells. For judged. */
  filler: 0.1,

  /**
   * BM25 over passages of so many characters: these are alike in length, which tells nothing. Times that a word in a heading, or in
   * the title, counts. For judged.
   */
  passage: { length: 1_500, k1: 1.2, heading: 3, title: 1 },
  /** Weight of a heading that says nothing else than the query. For judged and symbols. */
  headingCoverage: 1,
  /** Weight of the page as a whole, compared with its best passage. For judged. */
  page: 0.6,
  /** The parts of the score of a page as a whole. For judged. */
  words: 3,
  titleCoverage: 1.5,
  proximity: 0.6,
  /** Weight of words typed without a space, such as `List.of`; and its share where they are in the text only. For judged. */
  pieces: 0.8,
  pieceInText: 0.6,
  /** A section that explains the identifier that the query is: more than all mentions together. For symbols. */
  definition: { identifier: 6, word: 2, words: 0.5 } satisfies Record<NameStyle, number>,
  /** Deduction for each part of the section's name that was not typed. For symbols. */
  furtherPart: 0.1,
  /** Weights of the places of a word, compared with the title. For judged. */
  title: 1,
  file: 0.9,
  inHeading: 0.6,
  inBody: 0.5,
  inFolder: 0.5,
  /**
   * Occurrences in a page of `usualLength` characters that count half as much as any number; an empty page needs less. For
   * judged.
   */
  saturation: { occurrences: 1.2, ofEmptyPage: 0.4 },
  usualLength: 5_000,
} as const;
