import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Section } from '../../../formats/html/index.js';

const PAGE_END = '\x1d';
const SECTION_END = '\x1e';
const FIELD_END = '\x1f';
const RESERVED = /[\x1d-\x1f]/g;
/** Characters that a block has before it is written. Larger ones compress better, smaller ones are read faster. */
const ENOUGH = 16_384;
const LEVEL = 5;
/** Bytes that are unpacked at a time: more than most blocks have. */
const CHUNK = 65_536;
/** Max. bytes of a block once it is unpacked. */
const MAX_UNPACKED = 8_000_000;
/**
 * Max. characters that are kept of a page, headings and anchors included: more than `readPage` gives. Each takes three bytes at
 * most, so they fit into a block after those of other pages.
 */
const MAX_PAGE = 2_500_000;

/** Where the text of a page is: the block, and its place among the pages of the block. */
export interface TextPlace {
  readonly block: number;
  readonly place: number;
}

/** Gathers the texts of pages into blocks that are compressed as a whole. */
export class TextBlocks {
  private block = 1;
  private texts: string[] = [];
  private characters = 0;

  constructor(private readonly write: (id: number, content: Buffer) => void) {}

  add(sections: readonly Section[]): TextPlace {
    const text = sections.map(packSection).join(SECTION_END).slice(0, MAX_PAGE);
    const place = { block: this.block, place: this.texts.length };
    this.texts.push(text);
    this.characters += text.length + PAGE_END.length;
    if (this.characters >= ENOUGH) this.flush();
    return place;
  }

  flush(): void {
    if (this.texts.length === 0) return;
    this.write(this.block, deflateRawSync(this.texts.join(PAGE_END), { level: LEVEL }));
    this.block += 1;
    this.texts = [];
    this.characters = 0;
  }
}

/** The sections of one page of a block. @throws when the block is damaged */
export function unpackPage(content: Uint8Array, place: number): Section[] {
  const block = unpackBlock(content);
  // Only the page is made a string: a block has others.
  let start = 0;
  for (let before = 0; before < place; before += 1) {
    const end = block.indexOf(PAGE_END, start);
    if (end === -1) throw new RangeError(`the block has no page ${place}`);
    start = end + 1;
  }
  const end = block.indexOf(PAGE_END, start);
  const text = block.toString('utf8', start, end === -1 ? block.length : end);
  return text === '' ? [] : text.split(SECTION_END).map(unpackSection);
}

/** Number of pages in a block. @throws when the block is damaged */
export function pagesIn(content: Uint8Array): number {
  const block = unpackBlock(content);
  let pages = 1;
  for (let end = block.indexOf(PAGE_END); end !== -1; end = block.indexOf(PAGE_END, end + 1)) pages += 1;
  return pages;
}

function unpackBlock(content: Uint8Array): Buffer {
  return inflateRawSync(content, { maxOutputLength: MAX_UNPACKED, chunkSize: CHUNK });
}

function packSection({ heading, level, anchor = '', text }: Section): string {
  return [heading, String(level), anchor, text].map((each) => each.replace(RESERVED, ' ')).join(FIELD_END);
}

function unpackSection(packed: string): Section {
  const [heading = '', level = '', anchor = '', text = ''] = packed.split(FIELD_END);
  return { heading, level: Number(level), ...(anchor === '' ? {} : { anchor }), text };
}
