import {
  MAX_RESULTS,
  type SearchAnswer,
  type SearchOptions,
  type SearchResult,
} from '../ports/search-index.js';
import { chooseSection } from './choose-section.js';
import { compareCandidates, type ScoredCandidate, scoredCandidate } from './compare-candidates.js';
import type { PageContent } from './content/page-content.js';
import type { Candidate } from './found-page.js';
import { findPhrases, type PhrasePlace } from './phrases.js';
import type { Query } from './query/parse-query.js';
import { type RankedPage, rankPage, roughScore } from './rank-page.js';
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
  { limit, offset = 0, languages = ['en'], reads }: SearchOptions,
  budget = SearchBudget.start(),
): Pick<SearchAnswer, 'results' | 'total' | 'more' | 'incomplete'> {
  const size = phrases.length > 0 ? MAX_READ_FOR_PHRASES : MAX_READ;
  const rough = scored(candidates, reads, budget)
    .sort(compareCandidates)
    .slice(0, phrases.length > 0 ? MAX_READ_FOR_PHRASES : MAX_RESULTS);
  const end = Math.min(offset + limit, MAX_RESULTS);
  const ranked: Ranked[] = [];
  let read = 0;
  for (; !budget.isOver && read < rough.length && (read === 0 || ranked.length < end); read += size) {
    ranked.push(...rank(rough.slice(read, read + size), phrases, languages, budget));
  }
  // Nobody can page through what was not read in time.
  const unread = budget.isOver ? 0 : Math.max(0, rough.length - read);
  return {
    results: ranked.slice(offset, end).map(({ result }) => result),
    total: Math.min(MAX_RESULTS, ranked.length + unread),
    more: candidates.length > rough.length,
    ...(budget.isIncomplete ? { incomplete: true } : {}),
  };
}

/** Candidates with their scores before their texts are read, as far as the budget suffices. */
function scored(
  candidates: readonly Candidate[],
  reads: SearchOptions['reads'],
  budget: SearchBudget,
): ScoredCandidate[] {
  const rough = [];
  for (const candidate of candidates) {
    if (!budget.isSpent(SHARE.ordering))
      rough.push(scoredCandidate(candidate, roughScore(candidate.page), reads));
  }
  return rough;
}

interface Ranked extends ScoredCandidate {
  readonly result: SearchResult;
}

/** Reads the texts of candidates, as far as the budget suffices; those without a phrase are left out. */
function rank(
  rough: readonly ScoredCandidate[],
  phrases: Query['phrases'],
  languages: readonly string[],
  budget: SearchBudget,
): Ranked[] {
  const all: Ranked[] = [];
  for (const { candidate, timesRead } of rough) {
    if (budget.isSpent()) continue;
    const page = candidate.open();
    if (page === undefined) continue;
    budget.open(page.content);
    const places = findPhrases(phrases, page.title, page.content, budget);
    if (places === undefined) continue;
    const ranked = rankPage(page, languages, budget);
    const result = resultOf(candidate.revision, ranked, places[0], budget);
    all.push({ candidate, score: result.score, timesRead, result });
  }
  return all.sort(compareCandidates);
}

/** The section that explains what is searched for, else the one with the phrase, else the one that answers best. */
function resultOf(
  revision: string,
  ranked: RankedPage,
  phrase: PhrasePlace | undefined,
  budget: SearchBudget,
): SearchResult {
  const index = ranked.view.page.definition?.section ?? phrase?.section ?? chooseSection(ranked, budget);
  return resultAt(revision, ranked, index, phrase, ranked.score);
}

/** The result that leads to a section. */
export function resultAt(
  revision: string,
  { view }: RankedPage,
  index: number,
  phrase: PhrasePlace | undefined,
  score: number,
): SearchResult {
  const { definition } = view.page;
  const section = view.content.section(index);
  const { way } = view.page;
  const isBeginning = index === 0 && definition === undefined;
  const isWholePage =
    isBeginning || section === undefined || section.level <= 1 || section.anchor === undefined;
  // A part of a text keeps all of it in memory; a clone does not.
  return structuredClone({
    revision,
    path: view.page.path,
    title: view.page.title,
    ...(isWholePage ? {} : { heading: section.heading, anchor: section.anchor }),
    snippet: snippetOf(
      view,
      withText(view.content, index),
      phrase?.section === index ? phrase.range : undefined,
    ),
    ...(way.length === 0 ? {} : { way }),
    score,
  });
}

/** The section, or the next one after it that has a text. */
function withText(content: PageContent, index: number): number {
  for (let next = index; next < content.count; next += 1) {
    const { from, to } = content.rangeOf(next);
    if (to > from) return next;
  }
  return index;
}
