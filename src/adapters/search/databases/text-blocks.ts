import { isAscii, transcode } from 'node:buffer';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { PageContent, type PlacedSection } from '../../../application/search/page-content.js';
import type { Section } from '../../../formats/html/index.js';

const TEXT_BEGIN = '\x1c';
const PAGE_END = '\x1d';
const SECTION_END = '\x1e';
const FIELD_END = '\x1f';
const RESERVED = /[\x1c-\x1f]/g;
/** Characters that a block has before it is written. Larger ones compress better, smaller ones are read faster. */
const MIN_BLOCK = 16_384;
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
/** Characters that a section takes besides: its level, the length of its text, and what stands between. */
const ROOM_OF_SECTION = 16;

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
    const text = packPage(fitting(sections));
    const place = { block: this.block, place: this.texts.length };
    this.texts.push(text);
    this.characters += text.length + PAGE_END.length;
    if (this.characters >= MIN_BLOCK) this.flush();
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

/** The bytes of one page of a block, for `unpackPage`. @throws when the block is damaged */
export function pageOf(content: Uint8Array, place: number): Buffer {
  const block = unpackBlock(content);
  let start = 0;
  for (let before = 0; before < place; before += 1) {
    const end = block.indexOf(PAGE_END, start);
    if (end === -1) throw new RangeError(`the block has no page ${place}`);
    start = end + 1;
  }
  const next = block.indexOf(PAGE_END, start);
  // A copy: a part would keep the block in memory.
  return Buffer.from(block.subarray(start, next === -1 ? block.length : next));
}

/** The sections and texts in the bytes of a page. @throws when they are no page */
export function unpackPage(page: Buffer): PageContent {
  const begin = page.indexOf(TEXT_BEGIN);
  if (begin === -1) throw new RangeError('the page has no text');
  // Two strings: headings that somebody keeps do not keep the text.
  const heads = textOf(page.subarray(0, begin));
  const text = textOf(page.subarray(begin + 1));
  return new PageContent(unpackSections(heads), text);
}

/** The text of UTF-8. Node 20 takes five times as long to decode it in one step. */
function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
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

/** The first sections, as many as fit into a page. */
function fitting(sections: readonly Section[]): readonly Section[] {
  let left = MAX_PAGE;
  const end = sections.findIndex(({ heading, anchor = '', text }) => {
    left -= heading.length + anchor.length + text.length + ROOM_OF_SECTION;
    return left < 0;
  });
  return end === -1 ? sections : sections.slice(0, end);
}

/** Headings, each with the length of its text, then all texts. */
function packPage(sections: readonly Section[]): string {
  const heads = sections.map(({ heading, level, anchor = '', text }) =>
    [heading, String(level), anchor, String(text.length)].map(unreserved).join(FIELD_END),
  );
  return heads.join(SECTION_END) + TEXT_BEGIN + sections.map(({ text }) => unreserved(text)).join('\n');
}

function unreserved(text: string): string {
  return text.replace(RESERVED, ' ');
}

function unpackSections(heads: string): PlacedSection[] {
  if (heads === '') return [];
  let end = -1;
  return heads.split(SECTION_END).map((packed) => {
    const [heading = '', level = '', anchor = '', length = ''] = packed.split(FIELD_END);
    const from = end + 1;
    end = from + Number(length);
    return {
      heading,
      level: Number(level),
      ...(anchor === '' ? {} : { anchor }),
      from,
      to: end,
    };
  });
}
