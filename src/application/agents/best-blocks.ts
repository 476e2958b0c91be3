import type { BlockRange, MarkdownBlock, MarkdownPage } from '../../formats/html/index.js';
import { findPositions } from '../search/positions.js';
import { parseQuery } from '../search/query/parse-query.js';
import type { SearchBudget } from '../search/search-budget.js';
import { tellingWords } from '../search/telling-words.js';
import { foldText } from '../search/words/fold.js';

/** Characters of a piece: some paragraphs that are ranked together. */
const MAX_PIECE = 1_500;
/** A piece that has fewer goes on after a heading. */
const MIN_PIECE = 200;
/** Weights of BM25, as usual. */
const K1 = 1.2;
const B = 0.75;
/** Times that a word in a heading counts. */
const HEADING = 3;

/** Share of the score of the best piece of a page with which a piece of the section that was found is shown instead. */
const MIN_SHARE_OF_BEST = 0.7;

/** Paragraphs that are ranked together. */
interface Piece extends BlockRange {
  readonly score: number;
}

/**
 * Returns the piece of a page that answers a question best: of the section that was found, unless another one answers much
 * better. Undefined once the budget is spent.
 */
export function bestPiece(
  page: MarkdownPage,
  query: string,
  anchor: string | undefined,
  budget: SearchBudget,
): BlockRange | undefined {
  const pieces = rankPieces(page.blocks(), query, budget);
  if (budget.isSpent()) return undefined;
  const section = page.sectionAt(anchor);
  const [best] = pieces;
  const found = pieces.find(
    ({ start }) => section !== undefined && start >= section.start && start < section.end,
  );
  const isAsGood = found !== undefined && found.score >= MIN_SHARE_OF_BEST * (best?.score ?? 0);
  return isAsGood ? found : best;
}

/**
 * Pieces of a page by how well they answer, best first: BM25 with any of the words, which are found as a search finds them. Some
 * are missing once the budget is spent.
 */
export function rankPieces(
  blocks: readonly MarkdownBlock[],
  query: string,
  budget: SearchBudget,
): readonly Piece[] {
  const { words } = parseQuery(tellingWords(query).text);
  const pieces: { start: number; end: number; counts: number[]; length: number }[] = [];
  for (const { start, end, headings } of piecesOf(blocks)) {
    if (budget.isSpent()) break;
    const text = blocks
      .slice(start, end)
      .map((block) => block.text)
      .join('\n');
    const counts = words.map(() => 0);
    const count = (counted: string, times: number) => {
      for (const { word } of findPositions(words, foldText(counted), budget))
        counts[word] = (counts[word] ?? 0) + times;
    };
    count(text, 1);
    count(headings.join('\n'), HEADING - 1);
    pieces.push({ start, end, counts, length: text.length });
  }
  const average = pieces.reduce((sum, { length }) => sum + length, 0) / Math.max(1, pieces.length);
  const rarities = words.map((_, word) => {
    const having = pieces.filter(({ counts }) => (counts[word] ?? 0) > 0).length;
    return Math.log(1 + (pieces.length - having + 0.5) / (having + 0.5));
  });
  return pieces
    .map(({ start, end, counts, length }) => {
      const norm = K1 * (1 - B + (B * length) / Math.max(1, average));
      const score = counts.reduce(
        (sum, times, word) => sum + ((rarities[word] ?? 0) * times * (K1 + 1)) / (times + norm),
        0,
      );
      return { start, end, score };
    })
    .sort((a, b) => b.score - a.score || a.start - b.start);
}

interface PieceBlocks extends BlockRange {
  /** Those above the piece, and in it. */
  readonly headings: readonly string[];
}

function piecesOf(blocks: readonly MarkdownBlock[]): PieceBlocks[] {
  const pieces: PieceBlocks[] = [];
  let above: MarkdownBlock[] = [];
  let start = 0;
  let size = 0;
  let headings: string[] = [];
  const end = (at: number) => {
    if (at > start) pieces.push({ start, end: at, headings });
    start = at;
    size = 0;
    headings = above.map(({ text }) => text);
  };
  for (const [at, block] of blocks.entries()) {
    const { kind, level = 1, text } = block;
    if (kind === 'heading' ? size > MIN_PIECE : size > 0 && size + text.length > MAX_PIECE) end(at);
    if (kind === 'heading') {
      above = [...above.filter((other) => (other.level ?? 1) < level), block];
      headings = [...new Set([...headings, ...above.map((each) => each.text)])];
    }
    size += text.length;
  }
  end(blocks.length);
  return pieces;
}
