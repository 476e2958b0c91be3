import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FoundPiece } from '../../src/application/agents/best-blocks.js';
import { type DocsQuestion, SearchDocs } from '../../src/application/agents/search-docs.js';
import { type PageHit, tellingWords } from '../../src/application/index.js';
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

describe('The significant words of a question', () => {
  it('leave out filler words', () => {
    assert.equal(tellingWords('How do I set a cookie on a response?').text, 'set cookie response ');
  });
  it('include identifiers', () => {
    assert.deepEqual(tellingWords('parameters of QuerySet.bulk_create').identifiers, [
      'QuerySet.bulk_create',
    ]);
  });
  it('include options and hyphenated words, ranked after unmistakable identifiers', () => {
    assert.deepEqual(tellingWords('-w and --all of max-unacked-clients vs read_page').identifiers, [
      '--all',
      'read_page',
      '-w',
    ]);
    assert.deepEqual(tellingWords('max-unacked-clients').identifiers, ['max-unacked-clients']);
    assert.deepEqual(tellingWords('is -1 a number').identifiers, []);
    assert.deepEqual(tellingWords('how does `@apply` set $PATH of me@home').identifiers, ['@apply', '$PATH']);
  });
  it('leave out the conjunction between two compared things', () => {
    assert.equal(tellingWords('oscil vs oscili').text, 'oscil oscili ');
    assert.equal(tellingWords('oscil versus oscili').text, 'oscil oscili ');
  });
  it('include some words even of a question made of fillers', () => {
    assert.equal(tellingWords('what is it').text, 'what is it ');
  });
});

describe('A search for a question', () => {
  it('finds nothing when all its results have been removed meanwhile', async () => {
    const version = makeVersion('kettle', '2.0');
    const hit = {
      version,
      project: undefined,
      path: 'index.html',
      title: 'Kettle',
      kind: 'page',
      snippet: [],
    } as const;
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

describe('The sections of an answer', () => {
  const version = makeVersion('kettle', '2.0');
  const seen = () => Catalogue.of([version]).seenBy(ANYBODY, new Date());

  const hitOf = (path: string, of = version) => {
    return { version: of, project: undefined, path, title: 'Kettle', kind: 'page', snippet: [] } as const;
  };
  const pageWith = (texts: readonly string[]) => pageOf([heading('Kettle', 1), ...texts.map(paragraph)]);

  /** @param best indexes of paragraphs of each page, best first; by wording, where there are several */
  function searchOf(
    hits: readonly PageHit[],
    pageAt: (path: string) => MarkdownPage,
    best: readonly number[] | Readonly<Record<string, readonly number[]>>,
    share: number,
  ) {
    const counts = { total: hits.length, more: false, omittedTerms: [], corrections: [], indexing: [] };
    const piecesOf = (page: MarkdownPage, paragraphs: readonly number[]) =>
      paragraphs.map((at): FoundPiece => {
        const from = page.startOf(at + 1);
        const to = from + page.sizeOf(at + 1);
        return { from, to, match: { from, to: from }, share };
      });
    const bestOf = (query: string) =>
      (Array.isArray(best) ? best : (best as Readonly<Record<string, readonly number[]>>)[query]) ?? [];
    return new SearchDocs(
      { find: async (_, { limit }) => ({ hits: hits.slice(0, limit), ...counts }) },
      { of: async (_, path) => pageAt(path) },
      { bestBlocks: async (query, pages) => pages.map(({ page }) => piecesOf(page, bestOf(query))) },
    );
  }

  /** Sections of pages that have a heading and these paragraphs, each with the path of its page at its end. */
  async function sectionsFor(
    maxTokens: number,
    pages: readonly string[],
    texts: readonly string[],
    {
      best = [1],
      others = [],
      share = 1,
      isAlike = false,
    }: {
      readonly best?: readonly number[];
      readonly others?: readonly string[];
      readonly share?: number;
      readonly isAlike?: boolean;
    } = {},
  ) {
    const hits = pages.map((path) => ({
      ...hitOf(path),
      sameIn: others.map((name) => hitOf(path, makeVersion(name, '1.0'))),
    }));
    const search = searchOf(
      hits,
      (path) => pageWith(texts.map((text) => text + (isAlike ? '' : path))),
      best,
      share,
    );
    const answer = await search.answer(seen, { query: 'loud', maxTokens }, {});
    return { answer, sections: answer.split(/\n\n(?=\[kettle)/) };
  }

  it('fill the answer up to its limit, the first section up to half of it', async () => {
    const texts = Array.from({ length: 80 }, () => 'It is loud.');
    const { answer, sections } = await sectionsFor(400, ['a.html', 'b.html', 'c.html'], texts);
    const { length } = `${texts[0]}a.html\n\n`;
    assert.equal(sections.length, 3);
    assert.ok(answer.length <= 1_600 && answer.length > 1_600 - 3 * length, `${answer.length} characters`);
    const [first = ''] = sections;
    assert.ok(first.length <= 800 && first.length > 800 - length, `${first.length} characters`);
  });

  it('name up to three other projects that have the same page', async () => {
    const firstLine = async (...others: string[]) =>
      (await sectionsFor(100, ['a.html'], ['It is loud.'], { others })).answer.split('\n')[0]?.trimEnd();
    const line = '[kettle 2.0: a.html#kettle]';
    assert.equal(await firstLine(), line);
    assert.equal(await firstLine('cup'), `${line}  (such a page also in cup)`);
    assert.equal(
      await firstLine('cup', 'jug', 'mug', 'pan', 'pot'),
      `${line}  (such a page also in cup, jug, mug and 2 more)`,
    );
  });

  it('are cut inside a paragraph that exceeds the limit, with a mark', async () => {
    const { answer } = await sectionsFor(100, ['a.html'], ['', 'loud '.repeat(200)]);
    assert.match(answer, /loud \n\[cut\]$/);
    assert.ok(answer.length <= 200 + '\n[cut]'.length && answer.length > 180, `${answer.length} characters`);
  });

  it('include the next best pieces of a page that is the only result, without repeating text', async () => {
    const texts = Array.from({ length: 60 }, (_, at) => `${at}. ${'It is loud. '.repeat(12)}`);
    const { answer, sections } = await sectionsFor(400, ['a.html'], texts, { best: [10, 11, 40, 30, 20] });
    assert.deepEqual(
      sections.map((section) => /^(\d+)\. /m.exec(section)?.[1]),
      ['10', '40', '30'],
    );
    assert.ok(answer.length <= 1_600 && answer.length > 1_200, `${answer.length} characters`);
  });

  it('begin earlier when a page ends before the answer is full', async () => {
    const texts = Array.from({ length: 9 }, (_, at) => `${at}. ${'It is loud. '.repeat(12)}`);
    const { sections } = await sectionsFor(400, ['a.html', 'b.html', 'c.html'], texts, { best: [8] });
    assert.equal(/^(\d+)\. /m.exec(sections[1] ?? '')?.[1], '7');
  });

  it('number as many as have room for more than their headings', async () => {
    const pages = ['a.html', 'b.html', 'c.html', 'd.html', 'e.html'];
    const { sections } = await sectionsFor(100, pages, ['', 'loud '.repeat(200)]);
    assert.equal(sections.length, 1);
  });

  it('show text shared by several pages once', async () => {
    const pages = ['a.html', 'b.html', 'c.html'];
    const { sections } = await sectionsFor(400, pages, ['It is loud.'], { isAlike: true });
    assert.equal(sections.length, 1);
  });

  it('are followed by the names of ten other pages when the best page lacks words', async () => {
    const texts = Array.from({ length: 60 }, (_, at) => `${at}. ${'It is loud. '.repeat(12)}`);
    const pages = Array.from({ length: 20 }, (_, at) => `${at}.html`);
    const namesIn = ({ answer }: { readonly answer: string }) =>
      answer.match(/(?<=^- kettle 2\.0: )\S+ .*/gm) ?? [];
    assert.deepEqual(namesIn(await sectionsFor(1_200, pages, texts)), []);
    const unclear = await sectionsFor(1_200, pages, texts, { share: 0.5 });
    assert.deepEqual(
      namesIn(unclear),
      pages.slice(5, 15).map((path) => `${path} Kettle`),
    );
    assert.ok(unclear.answer.length <= 4_800 && unclear.answer.length > 4_000, `${unclear.answer.length}`);
    const ofOne = await sectionsFor(400, ['a.html'], texts, { share: 0.5, best: [10, 40, 30, 20] });
    assert.deepEqual(namesIn(ofOne), ['a.html#kettle Kettle']);
  });

  it('include the best section for each wording', async () => {
    const texts = Array.from({ length: 60 }, (_, at) => `${at}. ${'It is loud. '.repeat(12)}`);
    const best = { 'loud\nnoisy\nshrill': [50, 40, 30], loud: [50], noisy: [20], shrill: [10] };
    const search = searchOf([hitOf('a.html')], () => pageWith(texts), best, 1);
    const answer = await search.answer(seen, { query: 'loud', queries: ['noisy', ' shrill '] }, {});
    assert.deepEqual(
      answer.match(/(?<=^)\d+(?=\. It)/gm)?.filter((at) => Number(at) % 10 === 0),
      ['50', '20', '10'],
    );
  });

  it('are refused for an empty question or too many wordings', async () => {
    const search = searchOf([], () => assert.fail('a page was read'), [], 1);
    const refused = (asked: DocsQuestion, fault: RegExp) =>
      assert.rejects(search.answer(seen, asked, {}), fault);
    await refused({ queries: [' '] }, /^ToolFault: Give 'query', or up to three wordings in 'queries'\.$/);
    await refused({ queries: ['a', 'b', 'c', 'd'] }, /^ToolFault: Give up to three wordings in 'queries'\.$/);
  });
});
