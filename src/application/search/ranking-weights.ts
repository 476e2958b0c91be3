import type { PageKind } from '../../formats/html/index.js';
import type { NameStyle } from './names.js';
import type { Place } from './words/page-words.js';

/** Share of the sections of a page that have to explain identifiers for it to be reference. For facets: the GUIDE of the contract suite. */
export const MIN_DEFINING = 1 / 3;

/**
 * Weights of the ranking. They were chosen by the judged queries of `test/judged`, and belong to all queries: none serves a
 * single one.
 */
export const RANKING = {
  /** Score of a page whose words stand in this place at least, before its text is read. */
  place: {
    about: 1,
    title: 0.8,
    names: 0.7,
    headings: 0.5,
    often: 0.4,
    body: 0.2,
    lists: 0.1,
  } satisfies Record<Place, number>,
  kind: { ordinary: 1, 'release-notes': 0.75, 'generated-list': 0.35 } satisfies Record<PageKind, number>,
  /** Factor of a page that lacks a word of the query. */
  lacking: 0.6,
  otherLanguage: 0.85,
  /** A synonym, compared with the word itself: more than a part of an identifier, so that it is marked in snippets. */
  synonym: 0.6,
  /** The parts of a score. */
  words: 3,
  titleCoverage: 1.5,
  section: 1.2,
  proximity: 0.6,
  /** What was typed in one piece, such as `List.of`. */
  pieces: 0.8,
  /** A section that explains the identifier that the query is: more than all mentions together. */
  definition: { identifier: 6, word: 2, words: 0.5 } satisfies Record<NameStyle, number>,
  /** What each part of its name takes off that was not typed. */
  furtherPart: 0.1,
  /** A heading that is an identifier, compared with one of words. */
  name: 1.2,
  /** Where a word stands, compared with the title. */
  title: 1,
  file: 0.9,
  inName: 0.75,
  inHeading: 0.6,
  inBody: 0.5,
  inProject: 0.5,
  inFolder: 0.5,
  /** Characters of a usual page. */
  usualLength: 5_000,
} as const;
