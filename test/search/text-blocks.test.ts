import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packPage } from '../../src/adapters/search/databases/packed-page.js';
import { pageOf, pagesIn, TextBlocks, unpackBlock } from '../../src/adapters/search/databases/text-blocks.js';
import type { Section } from '../../src/formats/html/index.js';

const pages = ['one', 'Ærøskøbing', ''].map((text): Section[] => [{ heading: 'h', level: 1, text }]);

function blockOf(texts: readonly (readonly Section[])[]): Buffer {
  const written: Buffer[] = [];
  const blocks = new TextBlocks((_, content) => written.push(content));
  for (const sections of texts) blocks.add(sections);
  blocks.flush();
  assert.equal(written.length, 1);
  return written[0] ?? Buffer.alloc(0);
}

describe('A block of pages', () => {
  it('decodes to each page, and takes the memory of their bytes', () => {
    const block = unpackBlock(blockOf(pages));
    assert.equal(pagesIn(block), pages.length);
    for (const [place, sections] of pages.entries()) {
      assert.equal(pageOf(block, place).toString(), packPage(sections));
    }
    assert.throws(() => pageOf(block, pages.length), RangeError);
    const large = unpackBlock(blockOf([[{ heading: '', level: 1, text: 'many words '.repeat(100_000) }]]));
    assert.ok(large.buffer.byteLength <= large.length + 1, `${large.buffer.byteLength} of ${large.length}`);
  });

  for (const [what, damage] of Object.entries({
    'announces a byte less than it has': (block: Buffer) => block.writeUInt32LE(block.readUInt32LE() - 1),
    'announces a byte more than it has': (block: Buffer) => block.writeUInt32LE(block.readUInt32LE() + 1),
    'announces nothing': (block: Buffer) => block.writeUInt32LE(0),
    'announces more than any block has': (block: Buffer) => block.writeUInt32LE(0xffff_ffff),
    'ends too early': (block: Buffer) => block.fill(0, block.length - 20),
  })) {
    it(`is refused when it ${what}`, () => {
      const block = blockOf(pages);
      damage(block);
      assert.throws(() => unpackBlock(block));
    });
  }

  it('is rejected without even a size', () => {
    assert.throws(() => unpackBlock(Buffer.alloc(3)), RangeError);
  });
});
