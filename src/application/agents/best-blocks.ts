import type { MarkdownPage } from '../../formats/html/index.js';
import { bestWindow } from '../search/positions.js';
import type { SearchBudget } from '../search/search-budget.js';
import { foldText } from '../search/words/fold.js';
import { MAX_PIECE, type Piece, piecesOf, type Stretch } from './page-pieces.js';
import { beginsItem, positionsOf, type Terms, termsOf } from './question-terms.js';

/** BM25 over pieces that are alike in length, which tells nothing. */
const K1 = 1.2;
/** Times that a word in a heading counts. */
const HEADING = 3;
/** Weight of what stands close together. */
const NEAR = 0.5;
/** Pieces that are looked at for what stands close together. */
const MAX_NEAR = 20;
/** Characters in which it stands. */
const NEAR_LENGTH = 300;
/** Share of the score of the best piece of a page with which a piece of the section that was found is shown instead. */
const MIN_SHARE_OF_BEST = 0.7;
/** Pieces of a page that are returned. */
const MAX_PIECES = 5;

/** A piece of the text of a page. */
export interface FoundPiece extends Stretch {
  /** The part of it that has most of what was asked for. */
  readonly match: Stretch;
  /** Share of what was asked for that it has there, 0 to 1. */
  readonly share: number;
}

interface Question {
  readonly query: string;
  /** Anchor of the section that a search has found: its pieces are preferred to slightly better ones. */
  readonly anchor?: string | undefined;
  /** Name of the project, which tells nothing where the question begins with it. */
  readonly project?: string | undefined;
}

interface CountedPiece {
  readonly piece: Piece;
  /** Times that it has each term. */
  readonly counts: readonly number[];
  /** Weight of each term that it explains; 0 for others. */
  readonly explained: readonly number[];
}

interface RankedPiece extends Piece {
  readonly score: number;
}

/**
 * Returns the pieces of a page that answer a question best, the best one first: one of the section that was found, unless another
 * one answers much better.
 * @param share of the budget that may be spent. Once it is, the best of the pieces that were ranked are returned, those of the
 *   section that was found before others; at least its beginning
 */
export function bestPieces(
  page: MarkdownPage,
  question: Question,
  budget: SearchBudget,
  share = 1,
): readonly FoundPiece[] {
  const section = stretchOf(page, question.anchor);
  const isFound = ({ from, to }: Stretch) => section !== undefined && to > section.from && from < section.to;
  const all = piecesOf(page);
  const inOrder =
    section === undefined ? all : [...all.filter(isFound), ...all.filter((each) => !isFound(each))];
  const terms = termsOf(question.query, question.project);
  const ranked = rankPieces(page, inOrder, terms, budget, share);
  const [best] = ranked;
  if (best === undefined) {
    if (section === undefined) return [];
    const { from, to } = section;
    return [{ from, to: Math.min(to, from + MAX_PIECE), match: { from, to: from }, share: 0 }];
  }
  const found = ranked.find(isFound);
  const first = found !== undefined && found.score >= MIN_SHARE_OF_BEST * best.score ? found : best;
  return [first, ...ranked.filter((each) => each !== first)]
    .slice(0, MAX_PIECES)
    .map(({ from, to, match, share }) => ({ from, to, match, share }));
}

/** Pieces by how well they answer, best first: BM25 with any of the terms, which are found as a search finds words. */
function rankPieces(
  page: MarkdownPage,
  pieces: readonly Piece[],
  terms: Terms,
  budget: SearchBudget,
  share: number,
): readonly (RankedPiece & FoundPiece)[] {
  const number = terms.words.length + terms.wholes.length;
  const counted: CountedPiece[] = [];
  const having = Array.from({ length: number }, () => 0);
  for (const piece of pieces) {
    if (budget.isSpent(share)) break;
    const counts = Array.from({ length: number }, () => 0);
    const explained = Array.from({ length: number }, () => 0);
    const text = foldedText(page, piece);
    for (const { word, at } of positionsOf(terms, text, budget)) {
      counts[word] = (counts[word] ?? 0) + 1;
      if (explained[word] === 0 && beginsItem(text, at)) explained[word] = terms.explained[word] ?? 0;
    }
    for (const { word } of positionsOf(terms, piece.headings.join('\n'), budget))
      counts[word] = (counts[word] ?? 0) + HEADING - 1;
    for (const [at, times] of counts.entries()) if (times > 0) having[at] = (having[at] ?? 0) + 1;
    counted.push({ piece, counts, explained });
  }
  const weights = having.map((pieces) => Math.log(1 + (counted.length - pieces + 0.5) / (pieces + 0.5)));
  const ranked = counted
    .map(({ piece, counts, explained }): RankedPiece => {
      const score = counts.reduce(
        (sum, times, at) =>
          sum + (weights[at] ?? 0) * ((times * (K1 + 1)) / (times + K1) + (explained[at] ?? 0)),
        0,
      );
      return { ...piece, score };
    })
    .sort(byScore);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => ({ weight: weight / Math.max(all, Number.MIN_VALUE) }));
  return ranked
    .slice(0, MAX_NEAR)
    .map((piece) => near(page, piece, terms, shares, budget))
    .sort(byScore);
}

function byScore(a: RankedPiece, b: RankedPiece): number {
  return b.score - a.score || a.from - b.from;
}

/**
 * The piece with the part that has most of the terms, and a score that counts how much this is.
 * @param shares weight of each term; together 1
 */
function near(
  page: MarkdownPage,
  piece: RankedPiece,
  terms: Terms,
  shares: readonly { readonly weight: number }[],
  budget: SearchBudget,
): RankedPiece & FoundPiece {
  const positions = positionsOf(terms, foldedText(page, piece), budget).sort((a, b) => a.at - b.at);
  const { from, to, share } = bestWindow(shares, positions, NEAR_LENGTH) ?? { from: 0, to: 0, share: 0 };
  const match = { from: piece.from + from, to: piece.from + to };
  return { ...piece, match, share, score: piece.score * (1 + NEAR * share) };
}

/** A section without those below it, as the search knows it. */
function stretchOf(page: MarkdownPage, anchor: string | undefined): Stretch | undefined {
  const section = page.sectionAt(anchor);
  if (section === undefined) return undefined;
  let end = section.start + 1;
  while (end < section.end && page.levelOf(end) === undefined) end += 1;
  return { from: page.startOf(section.start), to: page.startOf(end) };
}

function foldedText(page: MarkdownPage, { from, to }: Stretch): string {
  return foldText(page.text.slice(from, to));
}
