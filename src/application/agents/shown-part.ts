import { blockPart, cutBlock, type MarkdownPage, SEPARATOR } from '../../formats/html/index.js';
import type { FoundPiece } from './best-blocks.js';
import type { Cursor } from './tool-texts.js';

/** Mark where a part of a block is missing. */
const CUT = '[cut]';
/** Max. characters of a heading that stands above what is shown. */
const MAX_HEADING = 300;
/** Min. characters of the beginning of a block for which there is no more room. */
const MIN_PART = 200;
/** Share of the room in which the part that matches has to end, where a piece is shown from its beginning. */
const SHARE_FROM_BEGINNING = 0.6;
/** Share of the room for what stands before the part that matches. */
const SHARE_BEFORE = 0.25;

/**
 * Returns where to begin so that a piece is read with the headings above it: the topmost one from which the piece still fits. A
 * list of parameters says little without its signature. Where the piece does not fit, the part of it that matches does.
 */
export function beginOf(page: MarkdownPage, piece: FoundPiece, room: number): Cursor {
  const heading = topmostHeading(page, piece, room);
  if (heading !== undefined) return { at: heading, from: 0 };
  const { from, to, match } = piece;
  const below = room - sizeOfHead(headAbove(page, page.blockAt(from)));
  const isShown = to - from <= below || match.to - from <= SHARE_FROM_BEGINNING * below;
  const before = SHARE_BEFORE * Math.max(0, below - (match.to - match.from));
  const begin = isShown ? from : lineBefore(page, piece, before);
  const at = page.blockAt(begin);
  return { at, from: begin - page.startOf(at) };
}

/** Begins earlier where the rest of the page leaves room. */
export function filledFrom(page: MarkdownPage, begin: Cursor, room: number): Cursor {
  const earliest = page.text.length - room;
  if (page.startOf(begin.at) + begin.from <= earliest) return begin;
  if (earliest <= 0) return { at: 0, from: 0 };
  const at = page.blockAt(earliest) + 1;
  return at <= begin.at ? { at, from: 0 } : begin;
}

/**
 * Returns what fits of a page from a place on, in Markdown, below its heading: whole blocks, and the beginning of one that is too
 * long.
 */
export function textFrom(page: MarkdownPage, begin: Cursor, characters: number): string[] {
  const head = [...headAbove(page, begin.at), ...(begin.from > 0 ? [CUT] : [])];
  let room = Math.max(1, characters - sizeOfHead(head));
  const texts: string[] = [];
  let withText = 0;
  let at = begin.at;
  for (let isWhole = true; isWhole && at < page.length && room > 0; at += 1) {
    const [block] = page.blocks(at, at + 1);
    if (block === undefined) break;
    const { text, next } = blockPart(block, at === begin.at ? begin.from : 0, room);
    isWhole = next === undefined;
    if (!isWhole && texts.length > 0 && (room < MIN_PART || block.kind === 'heading')) break;
    texts.push(isWhole ? text : `${text}\n${CUT}`);
    if (block.kind !== 'heading') withText = texts.length;
    room -= text.length + SEPARATOR.length;
  }
  // A heading with nothing below it tells nothing, unless there are headings alone.
  return [...head, ...(withText === 0 || at === page.length ? texts : texts.slice(0, withText))];
}

/** The heading that a block is below, as it is shown above it. */
function headAbove(page: MarkdownPage, at: number): string[] {
  const above = page.headingBefore(at);
  return above === undefined ? [] : [cutBlock(above, MAX_HEADING)];
}

function sizeOfHead(head: readonly string[]): number {
  return head.reduce((sum, { length }) => sum + length + SEPARATOR.length, 0);
}

function topmostHeading(page: MarkdownPage, { from, to }: FoundPiece, room: number): number | undefined {
  const start = page.blockAt(from);
  const isWhole = page.startOf(start) === from;
  let level = (isWhole ? page.levelOf(start) : undefined) ?? Number.POSITIVE_INFINITY;
  let topmost: number | undefined;
  for (let at = start - 1; at >= 0 && to - page.startOf(at) <= room; at -= 1) {
    const above = page.levelOf(at) ?? Number.POSITIVE_INFINITY;
    if (above >= level) continue;
    topmost = at;
    level = above;
  }
  return topmost;
}

/**
 * The first line, of the same section, that begins within some characters before the part that matches; else a sentence, or a word
 * of a long line.
 */
function lineBefore(page: MarkdownPage, { from, match }: FoundPiece, characters: number): number {
  const first = Math.max(from, Math.floor(match.from - characters));
  for (let at = page.blockAt(match.from); at >= 0 && page.startOf(at) >= first; at -= 1) {
    if (page.levelOf(at) !== undefined) return page.startOf(at);
  }
  if (first === from) return from;
  const before = page.text.slice(first, match.from);
  for (const begin of [/\n+/, /<br>/, /[.;] +/, /\s+/]) {
    const found = begin.exec(before);
    if (found !== null) return first + found.index + found[0].length;
  }
  return match.from;
}
