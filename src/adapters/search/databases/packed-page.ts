import { isAscii, transcode } from 'node:buffer';
import { Ends, type Haystack, PageContent } from '../../../application/search/page-content.js';
import { foldText } from '../../../application/search/words/fold.js';
import type { Section } from '../../../formats/html/index.js';
import { LongText } from '../../../formats/html/text-run.js';

/** A distance is a character from here on, after one of `FAR` for each `RANGE` of it. */
const NEAR = 0x20;
const FAR = 0x7f;
const RANGE = FAR - NEAR;

const PART_END = '\x1c';
const PARTS = 6;
/** Numbers of each section: its level, and the lengths of heading, anchor, text, and the changes that restore the text. */
const COLUMNS = 5;
const RESERVED = /[\x1c\x1d]/g;
/** Max. characters that are kept of a page, headings and anchors included: more than `readPage` gives. */
const MAX_PAGE = 12_000_000;
/** Characters that a section takes besides: its numbers, and separators. */
const ROOM_OF_SECTION = 24;
/** Each number as four digits of base 64: as quick to read as to skip, and part of a text. */
const DIGITS = 4;
const BITS = 6;
const ZERO = 0x20;

/** Separator of pages. */
export const PAGE_END = '\x1d';
/** Max. bytes of a packed page: three of a folded letter, one of a distance and three of the letter as it was, for each. */
export const MAX_PACKED = 7 * MAX_PAGE;

/**
 * A page as one text, in parts: the numbers of each section, then all headings and all texts as searches look through them, all
 * anchors, and the changes that restore the headings, and the text of each section. A search reads few of these.
 */
export function packPage(all: readonly Section[]): string {
  const sections = fitting(all).map(({ heading, level, anchor = '', text }) => ({
    heading: unreserved(heading),
    level,
    anchor: unreserved(anchor),
    text: fold(unreserved(text)),
  }));
  const numbers = [
    ...sections.map(({ level }) => level),
    ...sections.map(({ heading }) => heading.length),
    ...sections.map(({ anchor }) => anchor.length),
    ...sections.map(({ text }) => text.folded.length),
    ...sections.map(({ text }) => Buffer.byteLength(text.changes)),
  ];
  const headings = fold(sections.map(({ heading }) => heading).join('\n'));
  return [
    packNumbers(numbers),
    headings.folded,
    sections.map(({ text }) => text.folded).join('\n'),
    sections.map(({ anchor }) => anchor).join('\n'),
    headings.changes,
    sections.map(({ text }) => text.changes).join('\n'),
  ].join(PART_END);
}

type PackedParts = readonly [
  numbers: Buffer,
  headings: Buffer,
  texts: Buffer,
  anchors: Buffer,
  changesOfHeadings: Buffer,
  changes: Buffer,
];

/** The sections and texts in the bytes of a page. @throws when they are no page */
export function unpackPage(page: Buffer): PageContent {
  const [numbers, headings, texts, anchors, changesOfHeadings, changes] = partsOf(page);
  const columns = unpackNumbers(numbers);
  const count = columns.length / COLUMNS;
  const column = (at: number) => columns.subarray(at * count, (at + 1) * count);
  const levels = column(0);
  const ends = { headings: new Ends(column(1)), anchors: new Ends(column(2)), texts: new Ends(column(3)) };
  const changesEnds = new Ends(column(4));
  const folded = TextBytes.of(texts);
  const foldedHeadings = TextBytes.of(headings);
  let allHeadings: string | undefined;
  let allAnchors: TextBytes | undefined;
  return new PageContent(foldedHeadings, folded, {
    headings: ends.headings,
    texts: ends.texts,
    ofAnchors: ends.anchors.last,
    at: (index) => {
      allHeadings ??= unfold(foldedHeadings.slice(), TextBytes.of(changesOfHeadings));
      allAnchors ??= TextBytes.of(anchors);
      const anchor = stringIn(allAnchors, ends.anchors, index);
      return {
        heading: stringIn(allHeadings, ends.headings, index),
        level: levels[index] ?? 0,
        ...(anchor === '' ? {} : { anchor }),
      };
    },
    textOf: (index, from, to) => {
      const text = ends.texts.rangeOf(index);
      const changed = changesEnds.rangeOf(index);
      const ofSection = TextBytes.of(changes.subarray(changed.from, changed.to));
      return unfold(folded.slice(text.from + from, text.from + to), ofSection, from);
    },
  });
}

/** @throws RangeError when there are other parts than `packPage` writes */
function partsOf(page: Buffer): PackedParts {
  const parts: Buffer[] = [];
  for (let from = 0; from <= page.length; ) {
    const end = page.indexOf(PART_END, from);
    const to = end === -1 ? page.length : end;
    parts.push(page.subarray(from, to));
    from = to + 1;
  }
  if (parts.length !== PARTS) throw new RangeError(`a page has ${parts.length} parts, not ${PARTS}`);
  return parts as unknown as PackedParts;
}

function stringIn(joined: Haystack, ends: Ends, index: number): string {
  const { from, to } = ends.rangeOf(index);
  return joined.slice(from, to);
}

/** The first sections, as many as fit into a page. */
function fitting(sections: readonly Section[]): readonly Section[] {
  let left = MAX_PAGE;
  const end = sections.findIndex(({ heading, anchor = '', text }) => {
    left -= heading.length + anchor.length + text.length + ROOM_OF_SECTION;
    return left < 0;
  });
  return end === -1 ? sections : sections.slice(0, end);
}

function unreserved(text: string): string {
  return text.replace(RESERVED, ' ');
}

/** @param numbers from 0 to 2²⁴ - 1 */
function packNumbers(numbers: readonly number[]): string {
  const bytes = numbers.flatMap((number) =>
    Array.from({ length: DIGITS }, (_, digit) => ZERO + ((number >> (BITS * digit)) & (2 ** BITS - 1))),
  );
  return Buffer.from(bytes).toString('latin1');
}

function unpackNumbers(packed: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(packed.length / DIGITS);
  for (let at = 0; at < packed.length; at += 1) {
    const index = Math.floor(at / DIGITS);
    numbers[index] = (numbers[index] ?? 0) | (((packed[at] ?? 0) - ZERO) << (BITS * (at % DIGITS)));
  }
  return numbers;
}

/**
 * A text that stays the bytes that it is, and is looked through as a string is. V8 makes strings of up to 131,072 bytes a hundred
 * times as fast as larger ones (Node 20 to 24), and many pages are larger.
 */
export class TextBytes implements Haystack {
  /** UTF-16 code units. */
  readonly length: number;

  /** @param unit bytes of a code unit: 1 for ASCII, else 2 */
  private constructor(
    private readonly bytes: Buffer,
    private readonly unit: 1 | 2,
  ) {
    this.length = bytes.length / unit;
  }

  /** The text of UTF-8. */
  static of(utf8: Buffer): TextBytes {
    return isAscii(utf8) ? new TextBytes(utf8, 1) : new TextBytes(transcode(utf8, 'utf8', 'utf16le'), 2);
  }

  indexOf(needle: string, from = 0): number {
    // No other letter is an ASCII one in UTF-8, as some are in Latin-1.
    const at = this.bytes.indexOf(needle, from * this.unit, this.unit === 1 ? 'utf8' : 'utf16le');
    return at === -1 ? -1 : at / this.unit;
  }

  charCodeAt(at: number): number {
    if (at >= this.length) return Number.NaN;
    return this.unit === 1 ? (this.bytes[at] ?? 0) : this.bytes.readUInt16LE(2 * at);
  }

  slice(from = 0, to = this.length): string {
    return this.bytes.toString(this.unit === 1 ? 'latin1' : 'utf16le', from * this.unit, to * this.unit);
  }
}

/**
 * A text as searches look through it, with the changes that restore it: a search looks through many texts, and shows two lines
 * of each.
 */
interface FoldedText {
  readonly folded: string;
  /** Characters that folding has changed, each after its distance from the one before. A fiftieth to a fifth of the text. */
  readonly changes: string;
}

export function fold(text: string): FoldedText {
  const folded = foldText(text);
  const changes = new LongText();
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === folded.charCodeAt(at)) continue;
    // Folding changes the second half of a surrogate pair; only both halves together can be written as UTF-8.
    const isHalf = code >= 0xdc00 && code < 0xe000;
    const start = isHalf ? at - 1 : at;
    let distance = start - before;
    for (; distance >= RANGE; distance -= RANGE) changes.add(String.fromCharCode(FAR));
    changes.add(
      isHalf
        ? String.fromCharCode(NEAR + distance, text.charCodeAt(start), code)
        : String.fromCharCode(NEAR + distance, code),
    );
    before = start;
  }
  return { folded, changes: String(changes) };
}

/**
 * Part of a text.
 * @param folded the part, folded
 * @param changes in all of the text
 * @param from where the part begins
 */
export function unfold(folded: string, changes: Haystack, from = 0): string {
  // Two bytes for each code unit: put together as a string, a text of capital letters would be a string for each of them.
  const text = Buffer.from(folded, 'utf16le');
  let at = -from;
  let next = 0;
  while (next < changes.length) {
    for (; changes.charCodeAt(next) === FAR; next += 1) at += RANGE;
    at += changes.charCodeAt(next) - NEAR;
    if (at >= folded.length) break;
    next += 1;
    const code = changes.charCodeAt(next);
    const isFirstHalf = code >= 0xd800 && code < 0xdc00;
    const halves = isFirstHalf ? 2 : 1;
    for (let half = 0; half < halves; half += 1) {
      if (at + half >= 0 && at + half < folded.length)
        text.writeUInt16LE(changes.charCodeAt(next + half), 2 * (at + half));
    }
    next += halves;
  }
  return text.toString('utf16le');
}
