import type { MarkdownBlock } from '../../formats/html/index.js';
import { findPositions } from '../search/find-positions.js';
import { parseQuery } from '../search/query/parse-query.js';
import { tellingWords } from '../search/question/telling-words.js';
import { SearchBudget } from '../search/search-budget.js';
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

/** Some blocks of a page that follow one another. */
export interface Piece {
  /** Index of the first block, and of the one after the last. */
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** Pieces of a page by how well they answer, best first: BM25 with any of the words, which are found as a search finds them. */
export function rankPieces(blocks: readonly MarkdownBlock[], query: string): readonly Piece[] {
  const { words } = parseQuery(tellingWords(query).text);
  const budget = SearchBudget.start();
  const pieces = piecesOf(blocks).map(({ start, end, headings }) => {
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
    return { start, end, counts, length: text.length };
  });
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

/** The section that an anchor leads to, with what is below it; undefined where there is none. */
export function sectionAt(
  blocks: readonly MarkdownBlock[],
  anchor: string | undefined,
): Pick<Piece, 'start' | 'end'> | undefined {
  const start = anchor === undefined ? -1 : blocks.findIndex((block) => block.anchor === anchor);
  if (start === -1) return undefined;
  const { level = 1 } = blocks[start] ?? {};
  const next = blocks.findIndex(
    (block, at) => at > start && block.kind === 'heading' && (block.level ?? 1) <= level,
  );
  return { start, end: next === -1 ? blocks.length : next };
}

/**
 * Returns where to begin so that a piece is read with the headings above it: the index of the topmost one from which the
 * piece still fits. A list of parameters says little without its signature.
 */
export function beginOf(
  blocks: readonly MarkdownBlock[],
  { start, end }: Pick<Piece, 'start' | 'end'>,
  characters: number,
): number {
  let begin = start;
  let size = sizeOf(blocks, start, end);
  let level = blocks[start]?.kind === 'heading' ? (blocks[start]?.level ?? 1) : Number.POSITIVE_INFINITY;
  for (let at = start - 1; at >= 0; at -= 1) {
    const block = blocks[at];
    size += sizeOf(blocks, at, at + 1);
    if (size > characters) break;
    if (block?.kind !== 'heading' || (block.level ?? 1) >= level) continue;
    begin = at;
    level = block.level ?? 1;
  }
  return begin;
}

function sizeOf(blocks: readonly MarkdownBlock[], start: number, end: number): number {
  return blocks.slice(start, end).reduce((sum, { text }) => sum + text.length + 2, 0);
}

/** The heading that a block is below, if it is none itself. */
export function headingBefore(blocks: readonly MarkdownBlock[], at: number): MarkdownBlock | undefined {
  return blocks[at]?.kind === 'heading'
    ? undefined
    : blocks.slice(0, at).findLast(({ kind }) => kind === 'heading');
}

/** Returns the index after the last of the blocks that fit, from one on; that one is always taken. */
export function fittingFrom(blocks: readonly MarkdownBlock[], start: number, characters: number): number {
  let end = start;
  let sum = 0;
  while (end < blocks.length) {
    sum += (blocks[end]?.text.length ?? 0) + 2;
    if (sum > characters && end > start) break;
    end += 1;
  }
  // A heading with nothing below it tells nothing, unless there are headings alone.
  const last = blocks.slice(start, end).findLastIndex(({ kind }) => kind !== 'heading');
  return last === -1 || end === blocks.length ? end : start + last + 1;
}

interface PieceBlocks extends Pick<Piece, 'start' | 'end'> {
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
