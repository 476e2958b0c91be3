import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bestPiece, rankPieces } from '../../src/application/agents/best-blocks.js';
import { SearchDocs } from '../../src/application/agents/search-docs.js';
import { tellingWords } from '../../src/application/index.js';
import { SearchBudget } from '../../src/application/search/search-budget.js';
import { ANYBODY, Catalogue } from '../../src/domain/index.js';
import { type MarkdownBlock, MarkdownPage } from '../../src/formats/html/index.js';
import { makeVersion } from '../domain/make-version.js';

const heading = (text: string, level = 2): MarkdownBlock => ({
  kind: 'heading',
  text: `${'#'.repeat(level)} ${text} {#${text.toLowerCase()}}`,
  level,
  anchor: text.toLowerCase(),
});
const paragraph = (text: string): MarkdownBlock => ({ kind: 'paragraph', text });
const pageOf = (blocks: readonly MarkdownBlock[]) => MarkdownPage.of({ title: '', isCut: false }, blocks);
const budget = () => SearchBudget.start();

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

describe('a search for a question', () => {
  it('finds nothing where all that it found has gone meanwhile', async () => {
    const version = makeVersion('kettle', '2.0');
    const hit = { version, project: undefined, path: 'index.html', title: 'Kettle', snippet: [] };
    const counts = { total: 1, more: false, omittedTerms: [], corrections: [], indexing: [] };
    const search = new SearchDocs(
      { find: async () => ({ hits: [hit], ...counts }) },
      { of: async () => assert.fail('a page of a version that has gone was read') },
      { bestBlocks: async () => assert.fail('a page of a version that has gone was ranked') },
    );
    const nothing = () => Catalogue.empty.seenBy(ANYBODY, new Date());
    await assert.rejects(search.answer(nothing, { query: 'lid' }, {}), /^ToolFault: Nothing found for 'lid'/);
  });
});

describe('the sections of an answer', () => {
  const version = makeVersion('kettle', '2.0');
  const seen = () => Catalogue.of([version]).seenBy(ANYBODY, new Date());

  /** Sections of pages that have a heading and these paragraphs, each best from its second paragraph on. */
  async function sectionsFor(maxTokens: number, pages: readonly string[], texts: readonly string[]) {
    const hits = pages.map((path) => ({ version, project: undefined, path, title: 'Kettle', snippet: [] }));
    const page = pageOf([heading('Kettle', 1), ...texts.map(paragraph)]);
    const counts = { total: hits.length, more: false, omittedTerms: [], corrections: [], indexing: [] };
    const search = new SearchDocs(
      { find: async () => ({ hits, ...counts }) },
      { of: async () => page },
      { bestBlocks: async () => pages.map(() => ({ start: 2, end: 3 })) },
    );
    const answer = await search.answer(seen, { query: 'loud', maxTokens }, {});
    return { answer, sections: answer.split(/\n\n(?=\[)/) };
  }

  it('are as long as the answer may be, and the first half as long', async () => {
    const texts = Array.from({ length: 80 }, () => 'It is loud.');
    const { answer, sections } = await sectionsFor(400, ['a.html', 'b.html', 'c.html'], texts);
    const { length } = `${texts[0]}\n\n`;
    assert.equal(sections.length, 3);
    assert.ok(answer.length <= 1_600 && answer.length > 1_600 - 3 * length, `${answer.length} characters`);
    const [first = ''] = sections;
    assert.ok(first.length <= 800 && first.length > 800 - length, `${first.length} characters`);
  });

  it('are cut within a paragraph that is longer, with a mark', async () => {
    const { answer } = await sectionsFor(100, ['a.html'], ['', 'loud '.repeat(200)]);
    assert.match(answer, /loud \n\[cut\]$/);
    assert.ok(answer.length <= 200 + '\n[cut]'.length && answer.length > 180, `${answer.length} characters`);
  });

  it('are as many as have room for more than their heads', async () => {
    const pages = ['a.html', 'b.html', 'c.html', 'd.html', 'e.html'];
    const { sections } = await sectionsFor(100, pages, ['', 'loud '.repeat(200)]);
    assert.equal(sections.length, 1);
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
    const [best] = rankPieces(blocks, 'loud whistle', budget());
    assert.equal(blocks[best?.start ?? 0]?.anchor, 'whistle');
  });
  it('cover the page, each block once', () => {
    const pieces = [...rankPieces(blocks, 'lid', budget())].sort((a, b) => a.start - b.start);
    assert.deepEqual(
      pieces.flatMap(({ start, end }) => blocks.slice(start, end)),
      blocks,
    );
  });
  it('are none once the budget is spent', () => {
    const spent = new SearchBudget(() => 1);
    assert.equal(bestPiece(pageOf(blocks), 'lid', undefined, spent), undefined);
  });
  it('are read in whole blocks, and without a heading at their end', () => {
    assert.equal(pageOf(blocks).fittingFrom(2, 700), 5);
    assert.equal(pageOf(blocks).fittingFrom(1, 1), 2);
  });
  it('are read as far as they fit where they are headings alone, such as names without a description', () => {
    const names = Array.from({ length: 50 }, (_, at) => heading(`Name${at}`));
    const { length } = `${names[10]?.text}\n\n`;
    assert.equal(pageOf(names).fittingFrom(10, 20 * length), 30);
    assert.equal(pageOf([heading('Kettle', 1), filler, ...names]).fittingFrom(0, 700), 2);
  });
});
