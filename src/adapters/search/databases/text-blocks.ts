import { isAscii, transcode } from 'node:buffer';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { PageContent, type PlacedSection } from '../../../application/search/page-content.js';
import type { Section } from '../../../formats/html/index.js';
import { fold, unfold } from './folded-text.js';

const PART_END = '\x1c';
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
const MAX_UNPACKED = 13_000_000;
/**
 * Max. characters that are kept of a page, headings and anchors included: more than `readPage` gives. Each takes five bytes at
 * most, so they fit into a block after those of other pages.
 */
const MAX_PAGE = 2_500_000;
/** Characters that a section takes besides: its level, two lengths, and what stands between. */
const ROOM_OF_SECTION = 24;

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
  const headsEnd = page.indexOf(PART_END);
  const foldedEnd = page.indexOf(PART_END, headsEnd + 1);
  if (headsEnd === -1 || foldedEnd === -1) throw new RangeError('the page has no text');
  const { sections, changesEnds } = unpackHeads(textOf(page.subarray(0, headsEnd)));
  const folded = textOf(page.subarray(headsEnd + 1, foldedEnd));
  let changes: string | undefined;
  return new PageContent(sections, folded, (index) => {
    changes ??= textOf(page.subarray(foldedEnd + 1));
    const { from = 0, to = 0 } = sections[index] ?? {};
    return unfold({
      folded: folded.slice(from, to),
      changes: changes.slice(changesEnds[index - 1] ?? 0, changesEnds[index]),
    });
  });
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

/** Headings, each with the lengths of its text and of what folding has changed in it; all texts, folded; all changes. */
function packPage(sections: readonly Section[]): string {
  const texts = sections.map(({ text }) => fold(unreserved(text)));
  const heads = sections.map(({ heading, level, anchor = '', text }, at) =>
    [heading, String(level), anchor, String(text.length), String(texts[at]?.changes.length)]
      .map(unreserved)
      .join(FIELD_END),
  );
  const folded = texts.map((text) => text.folded).join('\n');
  return [heads.join(SECTION_END), folded, texts.map(({ changes }) => changes).join('')].join(PART_END);
}

function unreserved(text: string): string {
  return text.replace(RESERVED, ' ');
}

/** Sections, and where the changes of each end in those of the page. */
function unpackHeads(heads: string): { sections: PlacedSection[]; changesEnds: number[] } {
  const sections: PlacedSection[] = [];
  const changesEnds: number[] = [];
  let end = -1;
  let changesEnd = 0;
  for (const packed of heads === '' ? [] : heads.split(SECTION_END)) {
    const [heading = '', level = '', anchor = '', length = '', changes = ''] = packed.split(FIELD_END);
    const from = end + 1;
    end = from + Number(length);
    sections.push({ heading, level: Number(level), ...(anchor === '' ? {} : { anchor }), from, to: end });
    changesEnd += Number(changes);
    changesEnds.push(changesEnd);
  }
  return { sections, changesEnds };
}
