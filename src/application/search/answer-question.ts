import type { SearchAnswer, SearchOptions } from '../ports/search-index.js';
import { headingAt, resultAt } from './answer.js';
import { type Candidate, compareCandidates, type ScoredCandidate, scoredCandidate } from './found-page.js';
import { languageFactor, type RankedPage, rankPage } from './rank-page.js';
import { RANKING as R } from './ranking-weights.js';
import { ResultRows } from './result-rows.js';
import { SearchBudget } from './search-budget.js';

/** Weights and thresholds of the ranking for questions, for `test/judged/questions.json`; none belongs to a single question. */
const Q = {
  /** Pages whose text is read. */
  read: 40,
  /** Characters of a piece, and of the shortest that counts as short. */
  pieceLength: 1_500,
  minLength: 300,
  /** BM25. Of pieces of about the same length, the length tells less than usual. */
  k1: 1.2,
  b: 0.5,
  /** Times that a word in a heading, or in the title, counts. */
  heading: 3,
  title: 1,
  /** Weight of what the page as a whole is about, compared with a piece. */
  page: 0.3,
  /** Weight of a section that explains an identifier in the question. */
  definition: 0.6,
  /** Factor of pages about what was, or is to go. */
  past: 0.7,
  /** Factor of pages in other languages: what they have of the question is mostly code, which the same page in its language has, too. */
  otherLanguage: 0.6,
} as const;
/** Titles and paths of pages about what was, or is to go. */
const OF_THE_PAST = /obsolete|deprecated|change-?log|\bchanges\b|release[- ]notes|what.?s ?new/i;

/** A page with some of the words of a question. */
export interface QuestionCandidate extends Candidate {
  /** What the index knows of it without the text: the sum of the weights of its words, each by its place. */
  readonly score: number;
}

interface ScoredPage extends Pick<ScoredCandidate, 'candidate' | 'timesRead'> {
  readonly ranked: RankedPage;
  readonly pieces: readonly Piece[];
}

/** Some paragraphs of a section. */
interface Piece {
  readonly section: number;
  readonly length: number;
  /** Occurrences of each word. */
  readonly counts: readonly number[];
}

/** Ranks pages by the piece of each that answers best: BM25 with any of the words, and what the page as a whole is about. */
export function answerQuestion(
  candidates: readonly QuestionCandidate[],
  { limit, languages = ['en'], reads, ...folding }: SearchOptions,
  budget = SearchBudget.start(),
): Pick<SearchAnswer, 'results' | 'total' | 'more' | 'incomplete'> {
  const pages = candidates
    .map((candidate) => {
      const factor = languageFactor(candidate.page, languages, Q.otherLanguage);
      return scoredCandidate(candidate, factor * candidate.score, reads);
    })
    .sort(compareCandidates)
    .slice(0, Q.read)
    .flatMap(({ candidate, timesRead }): ScoredPage[] => {
      if (budget.isSpent()) return [];
      const page = candidate.open();
      if (page === undefined) return [];
      budget.open(page.content);
      const ranked = rankPage(page, languages, budget);
      return [{ candidate, timesRead, ranked, pieces: piecesOf(ranked) }];
    });
  const lengths = pages.flatMap(({ pieces }) => pieces.map(({ length }) => length));
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const best = Math.max(...pages.map(({ ranked }) => ranked.score), Number.MIN_VALUE);
  const scored = pages
    .map(({ candidate, timesRead, ranked, pieces }) => {
      const { page } = ranked;
      const headings = new Map(ranked.sections.map(({ index, likenesses }) => [index, likenesses]));
      const byPiece = pieces.reduce(
        (top, piece) => {
          const score = scoreOf(piece, ranked, headings, average);
          return score > top.score ? { score, section: piece.section } : top;
        },
        { score: 0, section: 0 },
      );
      const asWhole = Q.page * (Math.max(0, ranked.score) / best);
      const defined =
        page.definition === undefined ? 0 : Q.definition - R.furtherPart * page.definition.further;
      const past = OF_THE_PAST.test(page.title) || OF_THE_PAST.test(page.path) ? Q.past : 1;
      const factor = past * languageFactor(page, languages, Q.otherLanguage);
      const score = factor * (R.kind[page.kind] * byPiece.score + asWhole + defined);
      return { candidate, ranked, section: page.definition?.section ?? byPiece.section, score, timesRead };
    })
    .sort(compareCandidates);
  const rows = new ResultRows(folding);
  for (const { candidate, timesRead, ranked, section, score } of scored) {
    const heading = headingAt(ranked.page, section)?.heading;
    const result = () => resultAt(candidate.revision, ranked, section, undefined, score);
    rows.add({ candidate, timesRead, score, heading, result });
  }
  return {
    results: rows.slice(0, limit),
    total: rows.count,
    more: candidates.length > pages.length,
    ...(budget.isIncomplete ? { incomplete: true } : {}),
  };
}

/** Each section in pieces of about the same length, with the occurrences of the words in them. */
function piecesOf({ page: { content, words }, positions }: RankedPage): readonly Piece[] {
  let next = 0;
  return Array.from({ length: content.count }, (_, section) => {
    const { from, to } = content.rangeOf(section);
    const number = Math.max(1, Math.ceil((to - from) / Q.pieceLength));
    const length = Math.ceil((to - from) / number);
    return Array.from({ length: number }, (_, at): Piece => {
      const end = from + (at + 1) * length;
      const counts = words.map(() => 0);
      for (
        let position = positions[next];
        position !== undefined && position.at < end;
        position = positions[++next]
      ) {
        counts[position.word] = (counts[position.word] ?? 0) + (position.isSynonym ? R.synonym : 1);
      }
      return { section, length, counts };
    });
  }).flat();
}

/** @param headings likenesses of each section's heading, by the index of the section */
function scoreOf(
  { section, length, counts }: Piece,
  { page, title }: RankedPage,
  headings: ReadonlyMap<number, readonly number[]>,
  average: number,
): number {
  const heading = headings.get(section);
  const norm = Q.k1 * (1 - Q.b + (Q.b * Math.max(length, Q.minLength)) / Math.max(1, average));
  return page.words.reduce((sum, { weight }, at) => {
    const times =
      (counts[at] ?? 0) + Q.heading * (heading?.[at] ?? 0) + Q.title * (title.likenesses[at] ?? 0);
    return sum + (weight * times * (Q.k1 + 1)) / (times + norm);
  }, 0);
}
