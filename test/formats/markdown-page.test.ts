import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type MarkdownBlock, MarkdownPage } from '../../src/formats/html/index.js';

const word = fc.stringMatching(/^[a-z#{}\n]{1,12}$/);
const blocks = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom('paragraph', 'code', 'table', 'list', 'quote'), word)
      .map(([kind, text]): MarkdownBlock => ({ kind, text })),
    fc
      .record({
        level: fc.integer({ min: 1, max: 6 }),
        text: word,
        anchor: fc.option(fc.stringMatching(/^[a-z#{}]+$/)),
      })
      .map(({ level, text, anchor }): MarkdownBlock => {
        const heading = `${'#'.repeat(level)} ${text}`;
        return anchor === null
          ? { kind: 'heading', text: heading, level }
          : { kind: 'heading', text: `${heading} {#${anchor}}`, level, anchor };
      }),
  ),
);
const pageOf = (all: readonly MarkdownBlock[]) => MarkdownPage.of({ title: 'Kettle', isCut: false }, all);

describe('a page in Markdown', () => {
  it('gives back its blocks after it was handed to another thread', () => {
    fc.assert(
      fc.property(blocks, fc.nat(5), fc.nat(5), (all, start, end) => {
        const page = new MarkdownPage(structuredClone(pageOf(all).packed));
        assert.deepEqual(page.blocks(), all);
        assert.deepEqual(page.blocks(start, end), all.slice(start, Math.max(start, end)));
        assert.equal(page.text, all.map(({ text }) => text).join('\n\n'));
        assert.deepEqual(
          all.map((_, at) => [page.sizeOf(at), page.levelOf(at)]),
          all.map(({ text, level }) => [text.length, level]),
        );
      }),
    );
  });

  it('finds the first heading that has an anchor', () => {
    const page = pageOf([
      { kind: 'paragraph', text: 'a {#lid}' },
      { kind: 'heading', text: '# Lid', level: 1 },
      { kind: 'heading', text: '## The lid {#lid}', level: 2, anchor: 'lid' },
    ]);
    assert.deepEqual(
      ['lid', 'id', ''].map((anchor) => page.headingAt(anchor)),
      [2, -1, -1],
    );
  });

  it('weighs as much as it takes in memory, however many blocks it has', () => {
    const one = pageOf([{ kind: 'paragraph', text: 'x'.repeat(30_000) }]);
    const many = pageOf(Array.from({ length: 10_000 }, () => ({ kind: 'paragraph', text: 'x' })));
    assert.ok(one.bytes >= 60_000);
    assert.ok(many.bytes > one.bytes && many.bytes < 2 * one.bytes, `${many.bytes} of ${one.bytes}`);
  });
});
