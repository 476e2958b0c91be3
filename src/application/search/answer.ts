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
import { matchText, needlesOf } from './match-text.js';
import type { PageContent } from './page-content.js';
import { findPhrases, type PhrasePlace } from './phrases.js';
import { bestWindow } from './positions.js';
import type { Query } from './query/parse-query.js';
import { headingScore, type RankedPage, rankPage, roughScore } from './rank-page.js';
import { MAX_SECTION_WINDOW, MIN_SECTION_SCORE, MIN_TITLE, RANKING as R } from './ranking-weights.js';
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

/**
 * Ranks candidates and makes results of those that are asked for: the second stage, the same for all adapters. Of a page
 * only its score and its result are kept.
 */
export function answer(
  { phrases }: Query,
  candidates: readonly Candidate[],
  { limit, offset = 0, languages = ['en'], reads, facets, ...folding }: SearchOptions,
  budget = SearchBudget.start(),
): Pick<SearchAnswer, 'results' | 'total' | 'more' | 'revisions' | 'incomplete'> {
  const size = phrases.length > 0 ? MAX_READ_FOR_PHRASES : MAX_READ;
  const rough = candidates
    .flatMap((candidate) => {
      if (budget.isSpent(SHARE.ordering)) return [];
      return scoredCandidate(candidate, roughScore(candidate.page), reads);
    })
    .sort(compareCandidates)
    .slice(0, phrases.length > 0 ? MAX_READ_FOR_PHRASES : candidates.length);
  const end = Math.min(offset + limit, MAX_RESULTS);
  const rows = new ResultRows(folding);
  const known = new Map<ScoredCandidate, RankedResult | undefined>();
  const read = (each: ScoredCandidate) => {
    if (!known.has(each)) known.set(each, ranked(each, phrases, languages, budget));
    return known.get(each);
  };
  let unread: readonly ScoredCandidate[] = rough;
  do {
    const next = unread.slice(0, size).flatMap((each) => read(each) ?? []);
    for (const each of next.sort(compareCandidates)) rows.add(each);
    unread = withoutEqual(unread.slice(size), rows, read, budget);
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

/** Heading and anchor of a result that leads to a section; undefined where it leads to the page as a whole. */
export function headingAt({ definition, content }: OpenedPage, index: number) {
  const section = content.section(index);
  if ((index === 0 && definition === undefined) || section === undefined) return undefined;
  const { heading, anchor, level } = section;
  return level <= 1 || anchor === undefined ? undefined : { heading, anchor };
}

/** The result that leads to a section. */
export function resultAt(
  revision: string,
  { page, positions }: RankedPage,
  index: number,
  phrase: PhrasePlace | undefined,
  score: number,
): SearchResult {
  const { content, way } = page;
  // A part of a text keeps all of it in memory; a clone does not.
  return structuredClone({
    revision,
    path: page.path,
    title: page.title,
    ...headingAt(page, index),
    snippet: snippetOf(
      { page, positions },
      withText(content, index),
      phrase?.section === index ? phrase.range : undefined,
    ),
    ...(way.length === 0 ? {} : { way }),
    ...(page.readTo === undefined ? {} : { readTo: page.readTo }),
    score,
  });
}

/** Reads the text of a candidate. Undefined: it lacks a phrase, cannot be read, or the budget is spent. */
function ranked(
  { candidate, timesRead }: ScoredCandidate,
  phrases: Query['phrases'],
  languages: readonly string[],
  budget: SearchBudget,
): RankedResult | undefined {
  if (budget.isSpent()) return undefined;
  const page = candidate.open();
  if (page === undefined) return undefined;
  budget.open(page.content);
  const places = findPhrases(phrases, page.title, page.content, budget);
  if (places === undefined) return undefined;
  const ranked = rankPage(page, languages, budget);
  const [phrase] = places;
  // The section that explains what is searched for, else the one with the phrase, else the one that answers best.
  const section = page.definition?.section ?? phrase?.section ?? chooseSection(ranked, budget);
  const { score } = ranked;
  const result = resultAt(candidate.revision, ranked, section, phrase, score);
  return { candidate, score, timesRead, heading: result.heading, result: () => result };
}

/** The section, or the next one after it that has a text. */
function withText(content: PageContent, index: number): number {
  for (let next = index; next < content.count; next += 1) {
    const { from, to } = content.rangeOf(next);
    if (to > from) return next;
  }
  return index;
}

/** Index of the section that answers best. 0 is the beginning of the page. */
function chooseSection({ page, positions, sections, title }: RankedPage, budget: SearchBudget): number {
  const scored = sections.map((match) => ({
    index: match.index,
    score: headingScore(match),
  }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { index: 0, score: 0 });
  const beyondTitle = best.score > MIN_SECTION_SCORE && best.score >= headingScore(title);
  if (beyondTitle) return best.index;
  if (title.share > MIN_TITLE.share && title.coverage > MIN_TITLE.coverage) return 0;
  const window = bestWindow(page.words, positions, MAX_SECTION_WINDOW);
  const byText =
    window === undefined ? undefined : { index: page.content.sectionAt(window.from), share: window.share };
  if (byText === undefined) return best.score > 0 ? best.index : byWholeHeading(page, budget);
  return best.score >= R.together * byText.share ? best.index : byText.index;
}

/** The section whose heading has the words that nothing else has, such as those of the arguments of a function; else 0. */
function byWholeHeading({ words, content }: OpenedPage, budget: SearchBudget): number {
  let best = { index: 0, share: 0 };
  for (const index of content.sectionsWith(needlesOf(words))) {
    if (budget.isSpent()) break;
    const { share } = matchText(words, content.section(index)?.heading ?? '');
    if (share > best.share) best = { index, share };
  }
  return best.index;
}
