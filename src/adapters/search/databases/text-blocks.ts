import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Section } from '../../../formats/html/index.js';
import { MAX_PACKED, PAGE_END, packPage } from './packed-page.js';

/** Characters that a block has before it is written. Larger ones compress better, smaller ones are read faster. */
const MIN_BLOCK = 16_384;
const LEVEL = 5;
/** Bytes that are unpacked at a time: more than most blocks have. */
const CHUNK = 65_536;
/** Max. bytes of a block once it is unpacked: a page after others that are not enough for a block, of three bytes a character. */
const MAX_UNPACKED = 3 * MIN_BLOCK + MAX_PACKED;

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
    const text = packPage(sections);
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
