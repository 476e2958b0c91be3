import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Section } from '../../../formats/html/index.js';
import { MAX_PACKED, PAGE_END, packPage } from './packed-page.js';
import type { PageRow } from './schema.js';

/** Characters that a block has before it is written. Larger ones compress better, smaller ones are read faster. */
const MIN_BLOCK = 16_384;
const LEVEL = 5;
/**
 * Bytes in front of a compressed block: the number of its bytes once it is unpacked. Exactly that memory is allocated, at once:
 * garbage is collected after a certain number of bytes in buffers, which costs more than unpacking.
 */
const SIZE = 4;
/** Max. bytes of a block once it is unpacked: a page after others that are not enough for a block, of three bytes a character. */
const MAX_UNPACKED = 3 * MIN_BLOCK + MAX_PACKED;

/** Gathers the texts of pages into blocks that are compressed as a whole. */
export class TextBlocks {
  private block = 1;
  private texts: string[] = [];
  private characters = 0;

  constructor(private readonly write: (id: number, content: Buffer) => void) {}

  /** @returns where the text of a page is: the block, and its place among the pages of the block */
  add(sections: readonly Section[]): Pick<PageRow, 'block' | 'place'> {
    const text = packPage(sections);
    const place = { block: this.block, place: this.texts.length };
    this.texts.push(text);
    this.characters += text.length + PAGE_END.length;
    if (this.characters >= MIN_BLOCK) this.flush();
    return place;
  }

  flush(): void {
    if (this.texts.length === 0) return;
    const block = Buffer.from(this.texts.join(PAGE_END));
    const size = Buffer.alloc(SIZE);
    size.writeUInt32LE(block.length);
    this.write(this.block, Buffer.concat([size, deflateRawSync(block, { level: LEVEL })]));
    this.block += 1;
    this.texts = [];
    this.characters = 0;
  }
}

/** The bytes of all pages of a block. @throws when it is damaged */
export function unpackBlock(content: Buffer): Buffer {
  const size = content.readUInt32LE();
  if (size > MAX_UNPACKED) throw new RangeError(`a block of ${size} bytes is too large`);
  // The chunk has a byte more than the block: zlib allocates a second chunk once the first is full.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, size + 1);
  const block = inflateRawSync(content.subarray(SIZE), { maxOutputLength: chunkSize, chunkSize });
  if (block.length !== size) throw new RangeError(`the block has ${block.length} bytes, not ${size}`);
  return block;
}

/** The bytes of one page of an unpacked block, for `unpackPage`. @throws RangeError when it has no such page */
export function pageOf(block: Buffer, place: number): Buffer {
  let start = 0;
  for (let before = 0; before < place; before += 1) {
    const end = block.indexOf(PAGE_END, start);
    if (end === -1) throw new RangeError(`the block has no page ${place}`);
    start = end + 1;
  }
  const next = block.indexOf(PAGE_END, start);
  return block.subarray(start, next === -1 ? block.length : next);
}

/** Number of pages in an unpacked block. */
export function pagesIn(block: Buffer): number {
  let pages = 1;
  for (let end = block.indexOf(PAGE_END); end !== -1; end = block.indexOf(PAGE_END, end + 1)) pages += 1;
  return pages;
}
