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
/** With so many pages that have all words, less telling places are not looked into. For judged. */
export const MIN_CANDIDATES_TO_STOP = 240;
/** With fewer pages that have the last word itself, longer words count, too. For judged and the contract. */
export const MIN_PAGES_WITH_LAST_WORD = 30;
/** With fewer pages that have all words, pages with most of them follow. For judged and the contract. */
export const MIN_PAGES_WITH_ALL = 5;
/** Max. definitions of a name in one revision. For symbols. */
export const MAX_DEFINITIONS_OF_NAME = 24;

/** Share of the sections of a page that have to explain identifiers for it to be reference. For the contract. */
export const MIN_DEFINING = 1 / 3;

/** Min. score of a heading for the page to be left for its section, although the title answers the query, too. For judged. */
export const MIN_SECTION_SCORE = 0.55;
/** Min. share of the query in the title, and of the title that the query is, for the beginning of the page. For judged. */
export const MIN_TITLE = { share: 0.9, coverage: 0.3 } as const;
/** Max. characters in which the words of the query stand together in a section. For judged. */
export const MAX_SECTION_WINDOW = 300;
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
  /** For judged and the contract. */
  kind: { ordinary: 1, 'release-notes': 0.75, 'generated-list': 0.35 } satisfies Record<PageKind, number>,
  /** Factor of a page in a language that the reader has not asked for. For the contract. */
  otherLanguage: 0.85,

  /** Likeness of a word with the same stem, of an identifier that has it as a part, and of a longer word. For judged. */
  stemmed: 0.95,
  part: 0.5,
  prefix: 0.55,
  /** Likeness of a synonym: more than that of a part, so that it is marked in snippets. For the contract. */
  synonym: 0.6,

  /** Weight of a word that all pages of a project are about, compared with elsewhere. For judged. */
  ofProject: 0.25,
  /** Min. weight of a word compared with the rarest of its group: the `of` of `List.of` was typed on purpose. For judged. */
  inGroup: 0.5,

  /** The parts of a score. For judged. */
  words: 3,
  titleCoverage: 1.5,
  proximity: 0.6,
  /** What was typed in one piece, such as `List.of`; and its share where it stands in the text only. For judged. */
  pieces: 0.8,
  pieceInText: 0.6,
  /** A section that explains the identifier that the query is: more than all mentions together. For symbols. */
  definition: { identifier: 6, word: 2, words: 0.5 } satisfies Record<NameStyle, number>,
  /** What each part of its name takes off that was not typed. For symbols. */
  furtherPart: 0.1,
  /** Score of a heading with all of the query among many other words, compared with one that says nothing else. For judged. */
  longHeading: 0.3,
  /** A section in whose text the words stand together, compared with one whose heading has them. For judged. */
  together: 0.5,

  /** Where a word stands, compared with the title. For judged. */
  title: 1,
  file: 0.9,
  inName: 0.75,
  inHeading: 0.6,
  inBody: 0.5,
  inProject: 0.5,
  inFolder: 0.5,
  /**
   * Occurrences in a page of `usualLength` characters that count half as much as any number; an empty page needs less. For
   * judged.
   */
  saturation: { occurrences: 1.2, ofEmptyPage: 0.4 },
  usualLength: 5_000,
} as const;
