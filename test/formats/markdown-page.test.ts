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

describe('A page in Markdown', () => {
  it('returns its blocks after a transfer to another thread', () => {
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

  it('finds the position of an id, and the section around it', () => {
    const page = pageOf([
      { kind: 'heading', text: '# Lid {#top}', level: 1, anchor: 'top', anchors: [{ id: 'top', from: 0 }] },
      {
        kind: 'list',
        text: '- a {#no}\n- b',
        anchors: [
          { id: 'a', from: 0 },
          { id: 'b', from: 4 },
        ],
      },
      {
        kind: 'heading',
        text: '## The lid {#lid}',
        level: 2,
        anchor: 'lid',
        anchors: [{ id: 'lid', from: 0 }],
      },
      {
        kind: 'paragraph',
        text: 'c',
        anchors: [
          { id: 'a', from: 0 },
          { id: 'c', from: 0 },
        ],
      },
    ]);
    assert.deepEqual(
      ['top', 'a', 'b', 'lid', 'c', 'id', 'no', '', 'a\nb'].map((anchor) => page.placeOf(anchor)),
      [
        { at: 0, from: 0 },
        { at: 1, from: 0 },
        { at: 1, from: 4 },
        { at: 2, from: 0 },
        { at: 3, from: 0 },
        ...[undefined, undefined, undefined, undefined],
      ],
    );
    assert.deepEqual(
      ['top', 'b', 'lid', 'c', 'id'].map((anchor) => page.sectionAt(anchor)),
      [{ start: 0, end: 4 }, { start: 1, end: 2 }, { start: 2, end: 4 }, { start: 3, end: 4 }, undefined],
    );
  });

  it('weighs its size in memory, however many blocks it has', () => {
    const one = pageOf([{ kind: 'paragraph', text: 'x'.repeat(30_000) }]);
    const many = pageOf(Array.from({ length: 10_000 }, () => ({ kind: 'paragraph', text: 'x' })));
    const other = pageOf([{ kind: 'paragraph', text: 'Ж'.repeat(30_000) }]);
    assert.ok(one.bytes >= 30_000 && other.bytes >= 60_000);
    assert.ok(many.bytes > one.bytes && many.bytes < 3 * one.bytes, `${many.bytes} of ${one.bytes}`);
  });
});
