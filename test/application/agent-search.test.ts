import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fittingFrom, rankPieces } from '../../src/application/agents/best-blocks.js';
import { blockPart, cutBlock } from '../../src/application/agents/block-part.js';
import { tellingWords } from '../../src/application/index.js';
import type { MarkdownBlock } from '../../src/formats/html/index.js';

const heading = (text: string, level = 2): MarkdownBlock => ({
  kind: 'heading',
  text: `${'#'.repeat(level)} ${text} {#${text.toLowerCase()}}`,
  level,
  anchor: text.toLowerCase(),
});
const paragraph = (text: string): MarkdownBlock => ({ kind: 'paragraph', text });

describe('the telling words of a question', () => {
  it('leave out what says nothing', () => {
    assert.equal(tellingWords('How do I set a cookie on a response?').text, 'set cookie response ');
  });
  it('have identifiers among them', () => {
    assert.deepEqual(tellingWords('parameters of QuerySet.bulk_create').identifiers, [
      'QuerySet.bulk_create',
    ]);
  });
  it('are some even for a question of nothing but such words', () => {
    assert.equal(tellingWords('what is it').text, 'what is it ');
  });
});

describe('the pieces of a page', () => {
  const filler = paragraph('Other words. '.repeat(40));
  const blocks = [
    heading('Kettle', 1),
    filler,
    heading('Whistle'),
    paragraph('It is loud.'),
    filler,
    heading('Lid'),
    filler,
  ];
  it('come by how well they answer, with the words of their headings', () => {
    const [best] = rankPieces(blocks, 'loud whistle');
    assert.equal(blocks[best?.start ?? 0]?.anchor, 'whistle');
  });
  it('cover the page, each block once', () => {
    const pieces = [...rankPieces(blocks, 'lid')].sort((a, b) => a.start - b.start);
    assert.deepEqual(
      pieces.flatMap(({ start, end }) => blocks.slice(start, end)),
      blocks,
    );
  });
  it('are read in whole blocks, and without a heading at their end', () => {
    assert.equal(fittingFrom(blocks, 2, 700), 5);
    assert.equal(fittingFrom(blocks, 1, 1), 2);
  });
});

describe('a block that is too long', () => {
  const code: MarkdownBlock = { kind: 'code', text: '```js\none();\ntwo();\nthree();\n```' };
  const rows = Array.from({ length: 50 }, (_, at) => `| ${at} | row |`);
  const table: MarkdownBlock = { kind: 'table', text: ['| n | text |', '| --- | --- |', ...rows].join('\n') };

  /** All parts, one after the other. */
  const partsOf = (block: MarkdownBlock, characters: number) => {
    const parts: string[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { text, next } = blockPart(block, from, characters);
      assert.ok(text.length <= characters, `${text.length} characters`);
      assert.ok(next === undefined || next > from);
      parts.push(text);
      from = next;
    }
    return parts;
  };

  it('is cut at the end of a line, and its fence is closed', () => {
    assert.equal(cutBlock(code, 23), '```js\none();\ntwo();\n```\n[cut]');
  });
  it('is whole where it fits', () => {
    for (const block of [code, table]) assert.equal(cutBlock(block, block.text.length), block.text);
  });
  it('is read in parts: code in fences of the same language', () => {
    assert.deepEqual(partsOf(code, 23), ['```js\none();\ntwo();\n```', '```js\nthree();\n```']);
  });
  it('is read in parts: rows below the header of the table, each of them once', () => {
    const parts = partsOf(table, 100).map((part) => part.split('\n'));
    assert.ok(parts.every(([first, second]) => first === '| n | text |' && second === '| --- | --- |'));
    assert.deepEqual(
      parts.flatMap((lines) => lines.slice(2)),
      rows,
    );
  });
  it('is read in parts where it has no lines, without halves of characters', () => {
    const long = paragraph('ab😀'.repeat(100));
    const parts = partsOf(long, 7);
    assert.equal(parts.join(''), long.text);
    assert.ok(parts.every((part) => !/\p{Cs}/u.test(part)));
  });
  it('is read in parts where the header of a table leaves no room for rows', () => {
    const wide: MarkdownBlock = {
      kind: 'table',
      text: `| ${'x'.repeat(80)} |\n| --- |\n| ${'y'.repeat(80)} |`,
    };
    const parts = partsOf(wide, 100);
    assert.equal(parts.join('\n'), wide.text);
  });
});
