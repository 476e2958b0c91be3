import { endOfPart, type MarkdownPage, SEPARATOR } from '../../formats/html/index.js';
import { foldText } from '../search/words/fold.js';

/** Characters of a piece: some paragraphs, or some lines of a long one, that are ranked together. */
export const MAX_PIECE = 1_500;
/** A piece that has fewer goes on after a heading, and into a long block. */
const MIN_PIECE = 200;

/** A stretch of the text of a page, in UTF-16 code units. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Paragraphs, or lines of a long block, that are ranked together. */
export interface Piece extends Stretch {
  /** Folded headings above the piece, and in it. */
  readonly headings: readonly string[];
}

interface Heading {
  readonly level: number;
  readonly folded: string;
}

/** The pieces of a page, which cover all of it, in its order. No block is copied. */
export function piecesOf(page: MarkdownPage): Piece[] {
  const pieces = new Pieces();
  for (let at = 0; at < page.length; at += 1) {
    const start = page.startOf(at);
    const size = page.sizeOf(at);
    const level = page.levelOf(at);
    if (level !== undefined) pieces.addHeading(start, page.text.slice(start, start + size), level);
    else if (size <= MAX_PIECE) pieces.addBlock(start, size);
    else pieces.addLines(start, page.text.slice(start, start + size));
  }
  return pieces.end();
}

class Pieces {
  private readonly pieces: Piece[] = [];
  /** Headings of the section. */
  private above: readonly Heading[] = [];
  /** The piece that is being made. */
  private from = 0;
  private to = 0;
  private headings: readonly string[] = [];
  /** Headings at its end: where they begin, and the headings of the piece without them. */
  private last: { readonly from: number; readonly headings: readonly string[] } | undefined;

  addHeading(start: number, text: string, level: number): void {
    // A heading that follows another one belongs to the same piece.
    const isUp = this.last === undefined && level < (this.above.at(-1)?.level ?? 0);
    if (isUp || this.length > MIN_PIECE) this.begin(start);
    this.last ??= { from: start, headings: this.headings };
    this.above = [...this.above.filter((other) => other.level < level), { level, folded: foldText(text) }];
    this.headings =
      this.length === 0 ? foldedOf(this.above) : [...new Set([...this.headings, ...foldedOf(this.above)])];
    this.add(start, text.length);
  }

  addBlock(start: number, size: number): void {
    if (this.length + size > MAX_PIECE) this.begin(start);
    this.add(start, size);
    this.last = undefined;
  }

  /** Adds a block that is longer than a piece. */
  addLines(start: number, text: string): void {
    if (this.length > MIN_PIECE) this.begin(start);
    for (let at = 0; at < text.length; ) {
      const left = text.length - at + this.length;
      // All have about the same length: the end of a list would be a short piece.
      const length = Math.ceil(left / Math.ceil(left / MAX_PIECE));
      const next = endOfItems(text, at, Math.max(MIN_PIECE, length - this.length));
      this.add(start + at, next - at);
      this.last = undefined;
      at = next;
      if (at < text.length) this.begin(start + at);
    }
  }

  end(): Piece[] {
    this.begin(this.to);
    // Headings alone, at the end of the page.
    this.begin(this.to);
    return this.pieces;
  }

  private get length(): number {
    return this.to - this.from;
  }

  private add(start: number, length: number): void {
    if (this.length === 0) this.from = start;
    this.to = start + length;
  }

  /** Ends the piece. Headings at its end belong to the next one. */
  private begin(start: number): void {
    const { from, to, headings, last } = this;
    const hasText = last !== undefined && last.from > from;
    if (hasText) this.pieces.push({ from, to: last.from - SEPARATOR.length, headings: last.headings });
    else if (to > from) this.pieces.push({ from, to, headings });
    this.from = hasText ? last.from : start;
    this.to = hasText ? to : start;
    this.headings = foldedOf(this.above);
    this.last = hasText ? { from: last.from, headings: [] } : undefined;
  }
}

/** Returns where a part of a text ends, as `endOfPart` does, but rather between two items of a list than in one. */
function endOfItems(text: string, from: number, room: number): number {
  const half = Math.floor(from + room / 2);
  const at = from + room < text.length ? /^.*\n(?=\S)/s.exec(text.slice(half, from + room + 1)) : null;
  return at === null ? endOfPart(text, from, room) : half + at[0].length;
}

function foldedOf(headings: readonly Heading[]): string[] {
  return headings.map(({ folded }) => folded);
}
