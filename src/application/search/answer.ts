import {
  MAX_RESULTS,
  type SearchAnswer,
  type SearchOptions,
  type SearchResult,
} from '../ports/search-index.js';
import {
  type Candidate,
  compareCandidates,
  type OpenedPage,
  type ScoredCandidate,
  scoredCandidate,
} from './found-page.js';
import { hitKindOf } from './hit-kind.js';
import type { PageContent } from './page-content.js';
import { findPhrases, type PhrasePlace } from './phrases.js';
import type { Query } from './query/parse-query.js';
import { type RankedPage, rankPage, roughScore, wordsLackingIn } from './rank-page.js';
import { type RankedResult, ResultRows } from './result-rows.js';
import { SearchBudget, SHARE } from './search-budget.js';
import { snippetOf } from './snippet.js';

/**
 * Pages whose text is read to rank them, as many as most people ask for. The next ones are ranked among themselves, when
 * somebody pages on: so no result comes twice, however the pages are cut.
 */
const MAX_READ = 20;
/** Pages in whose texts a phrase is looked for. */
const MAX_READ_FOR_PHRASES = 240;
/** Pages with some of the words that are read, all at once: an index knows little about the order of these. */
const MAX_READ_WITH_SOME = 40;
/** Max. share of the words of a query that a page may lack. */
const MAX_LACKING = 0.5;

/** Ranks candidates and makes results of those that are asked for: the second stage, the same for all adapters. */
export function answer(
  { text, phrases }: Query,
  candidates: readonly Candidate[],
  {
    limit,
    offset = 0,
    languages = ['en'],
    reads,
    facets,
    isQuestion = false,
    snippetLength,
    ...folding
  }: SearchOptions,
  budget = SearchBudget.start(),
): Pick<SearchAnswer, 'results' | 'total' | 'more' | 'revisions' | 'incomplete'> {
  const hasPhrases = phrases.length > 0;
  const inOrder = candidates
    .flatMap((candidate) => {
      if (budget.isSpent(SHARE.ordering)) return [];
      return scoredCandidate(candidate, candidate.score ?? roughScore(candidate.page), reads);
    })
    .sort(compareCandidates);
  const allCount = countWithAll(inOrder);
  const rough = [
    ...inOrder.slice(0, hasPhrases ? Math.min(allCount, MAX_READ_FOR_PHRASES) : allCount),
    ...inOrder.slice(allCount, allCount + MAX_READ_WITH_SOME),
  ];
  const end = Math.min(offset + limit, MAX_RESULTS);
  const rows = new ResultRows(folding);
  const known = new Map<ScoredCandidate, RankedResult | undefined>();
  const reader: Reader = { text, phrases, languages, isQuestion, snippetLength, budget };
  const read = (each: ScoredCandidate) => {
    if (!known.has(each)) known.set(each, ranked(each, reader));
    return known.get(each);
  };
  let unread: readonly ScoredCandidate[] = rough;
  do {
    const size = Math.min(hasPhrases ? MAX_READ_FOR_PHRASES : MAX_READ, countWithAll(unread));
    const batch = unread.slice(0, size === 0 ? MAX_READ_WITH_SOME : size);
    const next = batch.flatMap((each) => read(each) ?? []);
    for (const each of next.sort(compareCandidates)) rows.add(each);
    unread = withoutEqual(unread.slice(batch.length), rows, read, budget);
  } while (!budget.isOver && unread.length > 0 && rows.count < end);
  // Nobody can page through what was not read in time.
  const total = rows.count + (budget.isOver ? 0 : unread.length);
  return {
    results: rows.slice(offset, end),
    total: Math.min(MAX_RESULTS, total),
    more: candidates.length > rough.length || total > MAX_RESULTS,
    ...(facets === true
      ? {
          revisions: [
            ...new Set([...rows.revisions(), ...unread.map(({ candidate }) => candidate.revision)]),
          ],
        }
      : {}),
    ...(budget.isIncomplete ? { incomplete: true } : {}),
  };
}

/** Number of pages with all words, which come before the others. */
function countWithAll(ordered: readonly ScoredCandidate[]): number {
  const first = ordered.findIndex(({ candidate }) => !candidate.page.hasAll);
  return first === -1 ? ordered.length : first;
}

/**
 * Folds pages that are equal to one that was read, wherever they are among the others: so a row has all of them, and none comes
 * again to who pages on. Only pages of the same title are read for it. @returns the others
 */
function withoutEqual(
  unread: readonly ScoredCandidate[],
  rows: ResultRows,
  read: (each: ScoredCandidate) => RankedResult | undefined,
  budget: SearchBudget,
): readonly ScoredCandidate[] {
  return unread.filter((each) => {
    if (!rows.mayHave(each) || !budget.isBelow(SHARE.folding)) return true;
    const result = read(each);
    return result === undefined || !rows.fold(result);
  });
}

/** The section that a result leads to; undefined where it leads to the page as a whole. */
function sectionAt({ definition, content }: OpenedPage, index: number) {
  const section = content.section(index);
  if ((index === 0 && definition === undefined) || section === undefined) return undefined;
  const { level, anchor } = section;
  return level <= 1 || anchor === undefined ? undefined : { ...section, anchor };
}

/** The result that leads to a section. */
function resultAt(
  revision: string,
  { page, positions, score }: RankedPage,
  index: number,
  phrase: PhrasePlace | undefined,
  lacks: readonly string[],
  snippetLength: number | undefined,
): SearchResult {
  const { content, way } = page;
  const section = sectionAt(page, index);
  // A part of a text keeps all of it in memory; a clone does not.
  return structuredClone({
    revision,
    path: page.path,
    title: page.title,
    kind: hitKindOf(page, section),
    ...(section === undefined ? {} : { heading: section.heading, anchor: section.anchor }),
    snippet: snippetOf(
      { page, positions },
      withText(content, index),
      phrase?.section === index ? phrase.range : undefined,
      snippetLength,
    ),
    ...(way.length === 0 ? {} : { way }),
    ...(lacks.length === 0 ? {} : { lacks }),
    ...(page.readTo === undefined ? {} : { readTo: page.readTo }),
    score,
  });
}

/** Options for reading the texts of candidates. */
interface Reader extends Pick<Query, 'text' | 'phrases'> {
  readonly languages: readonly string[];
  readonly isQuestion: boolean;
  readonly snippetLength: number | undefined;
  readonly budget: SearchBudget;
}

/**
 * Reads the text of a candidate. Undefined: it lacks a phrase, or of a search that is no question most of the words; cannot be read; or
 * the budget is spent.
 */
function ranked(
  { candidate, timesRead }: ScoredCandidate,
  { text, phrases, languages, isQuestion, snippetLength, budget }: Reader,
): RankedResult | undefined {
  if (budget.isSpent()) return undefined;
  const page = candidate.open();
  if (page === undefined) return undefined;
  budget.open(page.content);
  const places = findPhrases(phrases, page.title, page.content, budget);
  if (places === undefined) return undefined;
  const ranked = rankPage(page, languages, budget);
  const lacking = page.hasAll || isQuestion ? [] : wordsLackingIn(ranked);
  const telling = page.words.filter(({ isFiller }) => !isFiller);
  if (lacking.length > MAX_LACKING * telling.length) return undefined;
  const [phrase] = places;
  const section = page.definition?.section ?? phrase?.section ?? ranked.section;
  const { score } = ranked;
  // Parts of a word stand for all of it.
  const lacks = [...new Set(lacking.map(({ start, end }) => text.slice(start, end)))];
  const heading = sectionAt(page, section)?.heading;
  const result = () => resultAt(candidate.revision, ranked, section, phrase, lacks, snippetLength);
  return { candidate, score, timesRead, heading, result };
}

/** The section, or the next one after it that has a text. */
function withText(content: PageContent, index: number): number {
  for (let next = index; next < content.count; next += 1) {
    const { from, to } = content.rangeOf(next);
    if (to > from) return next;
  }
  return index;
}
