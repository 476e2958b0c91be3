import { READING_LIMITS } from '../reading-limits.js';
import { joined, type MarkdownBlock, SEPARATOR } from './markdown-block.js';

/**
 * A page in Markdown as one text with the places of its blocks: what another thread gets at once, and what takes as much memory
 * as it has characters, however many blocks they are.
 */
export interface PackedMarkdown {
  /** The `<title>`, else the first heading. May be empty. */
  readonly title: string;
  /** Language tag that the page declares, such as `en` or `zh-CN`. */
  readonly language?: string;
  /** Whether the page exceeds the limits of reading, so that its end is missing. */
  readonly isCut: boolean;
  /** The blocks, with an empty line between them. */
  readonly text: string;
  /** End offset of each block in the text. */
  readonly ends: Uint32Array;
  /** Kind of each block: index in `KINDS`; for headings `HEADING` and the level, and `ANCHOR` where they have one. */
  readonly kinds: Uint8Array;
  /** The ids of the page that lead somewhere, each between two line breaks. */
  readonly anchors: string;
  /** Target of each of them: the index of a block, and the position in its text. */
  readonly places: Uint32Array;
}

/** A position in a page: the index of a block, and a position in its text. */
interface BlockPlace {
  readonly at: number;
  readonly from: number;
}

/** Consecutive blocks of a page: index of the first block, and of the block after the last. */
export interface BlockRange {
  readonly start: number;
  readonly end: number;
}

const KINDS = ['paragraph', 'code', 'table', 'list', 'quote'] as const;
const HEADING = 8;
const ANCHOR = 16;
const LEVEL = 7;
/** Bytes of a page besides its texts and arrays, about. */
const PAGE_BYTES = 1_000;
const BEYOND_LATIN_1 = /[^\u0000-\u00ff]/;

/** An HTML page as Markdown, without navigation. */
export class MarkdownPage {
  constructor(readonly packed: PackedMarkdown) {}

  static of(
    page: Pick<PackedMarkdown, 'title' | 'language' | 'isCut'>,
    blocks: readonly MarkdownBlock[],
  ): MarkdownPage {
    const ends = new Uint32Array(blocks.length);
    const kinds = new Uint8Array(blocks.length);
    const ids: string[] = [];
    const places: number[] = [];
    let end = 0;
    for (const [at, { kind, text, level = 1, anchor, anchors = [] }] of blocks.entries()) {
      end += text.length + (at === 0 ? 0 : SEPARATOR.length);
      ends[at] = end;
      kinds[at] =
        kind === 'heading' ? HEADING + level + (anchor === undefined ? 0 : ANCHOR) : KINDS.indexOf(kind);
      const all = anchor === undefined ? anchors : [{ id: anchor, from: 0 }, ...anchors];
      for (const { id, from } of all.slice(0, READING_LIMITS.anchors - ids.length)) {
        ids.push(id);
        places.push(at, from);
      }
    }
    const anchors = `\n${ids.join('\n')}\n`;
    return new MarkdownPage({
      ...page,
      text: joined(blocks),
      ends,
      kinds,
      anchors,
      places: Uint32Array.from(places),
    });
  }

  get title(): string {
    return this.packed.title;
  }

  get language(): string | undefined {
    return this.packed.language;
  }

  get isCut(): boolean {
    return this.packed.isCut;
  }

  /** All blocks, with an empty line between them. */
  get text(): string {
    return this.packed.text;
  }

  /** Number of blocks. */
  get length(): number {
    return this.packed.ends.length;
  }

  /** Bytes that the page takes in memory, at most. */
  get bytes(): number {
    const { text, ends, kinds, anchors, places } = this.packed;
    return (
      bytesOf(text) + bytesOf(anchors) + ends.byteLength + kinds.byteLength + places.byteLength + PAGE_BYTES
    );
  }

  /** Returns the blocks from one index to another. */
  blocks(start = 0, end = this.length): MarkdownBlock[] {
    const blocks: MarkdownBlock[] = [];
    for (let at = start; at < Math.min(end, this.length); at += 1) blocks.push(this.block(at));
    return blocks;
  }

  /** Characters of a block; 0 if there is none. */
  sizeOf(at: number): number {
    return at < this.length ? this.endOf(at) - this.startOf(at) : 0;
  }

  /** Start offset of a block in the text. */
  startOf(at: number): number {
    return at === 0 ? 0 : this.endOf(at - 1) + SEPARATOR.length;
  }

  /** Index of the block that a place of the text is in, or that ends there or before it. */
  blockAt(place: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.startOf(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Level of a heading, 1 to 6; undefined for other blocks. */
  levelOf(at: number): number | undefined {
    const kind = this.packed.kinds[at] ?? 0;
    return kind < HEADING ? undefined : kind & LEVEL;
  }

  /** Target of an id of the page; undefined if no element has it. */
  placeOf(anchor: string): BlockPlace | undefined {
    const { anchors, places } = this.packed;
    const start = anchors.indexOf(`\n${anchor}\n`);
    if (start === -1 || anchor === '' || anchor.includes('\n')) return undefined;
    let index = 0;
    for (let at = anchors.indexOf('\n'); at < start; at = anchors.indexOf('\n', at + 1)) index += 1;
    return { at: places[2 * index] ?? 0, from: places[2 * index + 1] ?? 0 };
  }

  /** The section that an anchor leads to, with its subsections, or its rest from there; undefined if there is none. */
  sectionAt(anchor: string | undefined): BlockRange | undefined {
    const start = anchor === undefined ? undefined : this.placeOf(anchor)?.at;
    if (start === undefined) return undefined;
    const level = this.levelOf(start) ?? 6;
    let end = start + 1;
    while (end < this.length && (this.levelOf(end) ?? Number.POSITIVE_INFINITY) > level) end += 1;
    return { start, end };
  }

  /** The heading above a block; undefined for a heading. */
  headingBefore(at: number): MarkdownBlock | undefined {
    if (this.levelOf(at) !== undefined) return undefined;
    for (let before = at - 1; before >= 0; before -= 1) {
      if (this.levelOf(before) !== undefined) return this.block(before);
    }
    return undefined;
  }

  /** Returns the index after the last of the blocks that fit, from one on; that one is always taken. */
  fittingFrom(start: number, characters: number): number {
    let end = start;
    let size = 0;
    let lastText = -1;
    while (end < this.length) {
      size += this.sizeOf(end) + (end === start ? 0 : SEPARATOR.length);
      if (size > characters && end > start) break;
      if (this.levelOf(end) === undefined) lastText = end;
      end += 1;
    }
    // A heading with nothing below it tells nothing, unless there are headings alone.
    return lastText === -1 || end === this.length ? end : lastText + 1;
  }

  private block(at: number): MarkdownBlock {
    const kind = this.packed.kinds[at] ?? 0;
    const text = this.text.slice(this.startOf(at), this.endOf(at));
    if (kind < HEADING) return { kind: KINDS[kind] ?? 'paragraph', text };
    const level = kind & LEVEL;
    if (kind < ANCHOR) return { kind: 'heading', text, level };
    // No anchor has white space.
    return { kind: 'heading', text, level, anchor: text.slice(text.lastIndexOf(' {#') + 3, -1) };
  }

  private endOf(at: number): number {
    return this.packed.ends[at] ?? 0;
  }
}

/** Bytes of a text in memory: V8 takes one for each character where none is beyond Latin-1. */
function bytesOf(text: string): number {
  return BEYOND_LATIN_1.test(text) ? 2 * text.length : text.length;
}
