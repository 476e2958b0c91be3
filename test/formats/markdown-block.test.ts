import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blockPart, cutBlock, type MarkdownBlock } from '../../src/formats/html/index.js';

describe('A block that is too long', () => {
  const code: MarkdownBlock = { kind: 'code', text: '```js\none();\ntwo();\nthree();\n```' };
  const rows = Array.from({ length: 50 }, (_, at) => `| ${at} | row |`);
  const table: MarkdownBlock = { kind: 'table', text: ['| n | text |', '| --- | --- |', ...rows].join('\n') };

  /** All parts, one after the other, each with the next limit in turn. */
  const partsOf = (block: MarkdownBlock, ...limits: readonly number[]) => {
    const parts: string[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const characters = limits[parts.length % limits.length] ?? 0;
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
  it('is kept whole when it fits', () => {
    for (const block of [code, table]) assert.equal(cutBlock(block, block.text.length), block.text);
  });
  it('is split into parts: code in fences of the same language', () => {
    assert.deepEqual(partsOf(code, 23), ['```js\none();\ntwo();\n```', '```js\nthree();\n```']);
  });
  it("is split into parts: rows below the table's header, each row once", () => {
    const parts = partsOf(table, 100).map((part) => part.split('\n'));
    assert.ok(parts.every(([first, second]) => first === '| n | text |' && second === '| --- | --- |'));
    assert.deepEqual(
      parts.flatMap((lines) => lines.slice(2)),
      rows,
    );
  });
  it('is split into parts of different lengths, with or without room for the header', () => {
    for (const limits of [
      [50, 200],
      [200, 50],
      [50, 50, 300, 90],
    ]) {
      const lines = partsOf(table, ...limits).flatMap((part) => part.split('\n'));
      assert.deepEqual(
        lines.filter((line) => line.endsWith('| row |')),
        rows,
      );
    }
  });
  it('is split between characters when it has no lines', () => {
    const long: MarkdownBlock = { kind: 'paragraph', text: 'ab😀'.repeat(100) };
    const parts = partsOf(long, 7);
    assert.equal(parts.join(''), long.text);
    assert.ok(parts.every((part) => !/\p{Cs}/u.test(part)));
  });
  it("is split into parts when a table's header leaves no room for rows", () => {
    const wide: MarkdownBlock = {
      kind: 'table',
      text: `| ${'x'.repeat(80)} |\n| --- |\n| ${'y'.repeat(80)} |`,
    };
    const parts = partsOf(wide, 100);
    assert.equal(parts.join('\n'), wide.text);
  });
});
