import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FoundPiece } from '../../src/application/agents/best-blocks.js';
import { SearchDocs } from '../../src/application/agents/search-docs.js';
import { tellingWords } from '../../src/application/index.js';
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

describe('the telling words of a question', () => {
  it('leave out what says nothing', () => {
    assert.equal(tellingWords('How do I set a cookie on a response?').text, 'set cookie response ');
  });
  it('have identifiers among them', () => {
    assert.deepEqual(tellingWords('parameters of QuerySet.bulk_create').identifiers, [
      'QuerySet.bulk_create',
    ]);
  });
  it('have options and words with hyphens among them, after what can be nothing but an identifier', () => {
    assert.deepEqual(tellingWords('-w and --all of max-unacked-clients vs read_page').identifiers, [
      '--all',
      'read_page',
      '-w',
    ]);
    assert.deepEqual(tellingWords('max-unacked-clients').identifiers, ['max-unacked-clients']);
    assert.deepEqual(tellingWords('is -1 a number').identifiers, []);
  });
  it('leave out what stands between two things that are compared', () => {
    assert.equal(tellingWords('oscil vs oscili').text, 'oscil oscili ');
    assert.equal(tellingWords('oscil versus oscili').text, 'oscil oscili ');
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

  /** Sections of pages that have a heading and these paragraphs. @param best indexes of paragraphs of each page, best first */
  async function sectionsFor(
    maxTokens: number,
    pages: readonly string[],
    texts: readonly string[],
    best: readonly number[] = [1],
    others: readonly string[] = [],
  ) {
    const hitOf = (path: string, of = version) => {
      return { version: of, project: undefined, path, title: 'Kettle', snippet: [] };
    };
    const hits = pages.map((path) => ({
      ...hitOf(path),
      sameIn: others.map((name) => hitOf(path, makeVersion(name, '1.0'))),
    }));
    const page = pageOf([heading('Kettle', 1), ...texts.map(paragraph)]);
    const counts = { total: hits.length, more: false, omittedTerms: [], corrections: [], indexing: [] };
    const pieces = best.map((at): FoundPiece => {
      const from = page.startOf(at + 1);
      const to = from + page.sizeOf(at + 1);
      return { from, to, match: { from, to: from } };
    });
    const search = new SearchDocs(
      { find: async () => ({ hits, ...counts }) },
      { of: async () => page },
      { bestBlocks: async () => pages.map(() => pieces) },
    );
    const answer = await search.answer(seen, { query: 'loud', maxTokens }, {});
    return { answer, sections: answer.split(/\n\n(?=\[kettle)/) };
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

  it('name the projects that have such a page, too, the first three of them', async () => {
    const firstLine = async (...others: string[]) =>
      (await sectionsFor(100, ['a.html'], ['It is loud.'], [1], others)).answer.split('\n')[0]?.trimEnd();
    const line = '[kettle 2.0: a.html#kettle]';
    assert.equal(await firstLine(), line);
    assert.equal(await firstLine('cup'), `${line}  (such a page also in cup)`);
    assert.equal(
      await firstLine('cup', 'jug', 'mug', 'pan', 'pot'),
      `${line}  (such a page also in cup, jug, mug and 2 more)`,
    );
  });

  it('are cut within a paragraph that is longer, with a mark', async () => {
    const { answer } = await sectionsFor(100, ['a.html'], ['', 'loud '.repeat(200)]);
    assert.match(answer, /loud \n\[cut\]$/);
    assert.ok(answer.length <= 200 + '\n[cut]'.length && answer.length > 180, `${answer.length} characters`);
  });

  it('are the next best pieces, too, of a page that is the only one, but for what is shown already', async () => {
    const texts = Array.from({ length: 60 }, (_, at) => `${at}. ${'It is loud. '.repeat(12)}`);
    const { answer, sections } = await sectionsFor(400, ['a.html'], texts, [10, 11, 40, 30, 20]);
    assert.deepEqual(
      sections.map((section) => /^(\d+)\. /m.exec(section)?.[1]),
      ['10', '40', '30'],
    );
    assert.ok(answer.length <= 1_600 && answer.length > 1_200, `${answer.length} characters`);
  });

  it('begin earlier where a page ends before the room does', async () => {
    const texts = Array.from({ length: 9 }, (_, at) => `${at}. ${'It is loud. '.repeat(12)}`);
    const { sections } = await sectionsFor(400, ['a.html', 'b.html', 'c.html'], texts, [8]);
    assert.equal(/^(\d+)\. /m.exec(sections[1] ?? '')?.[1], '7');
  });

  it('are as many as have room for more than their heads', async () => {
    const pages = ['a.html', 'b.html', 'c.html', 'd.html', 'e.html'];
    const { sections } = await sectionsFor(100, pages, ['', 'loud '.repeat(200)]);
    assert.equal(sections.length, 1);
  });
});
