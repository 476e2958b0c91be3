import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bestPieces } from '../../src/application/agents/best-blocks.js';
import { piecesOf } from '../../src/application/agents/page-pieces.js';
import { SearchBudget } from '../../src/application/search/search-budget.js';
import { type MarkdownBlock, MarkdownPage } from '../../src/formats/html/index.js';
import { assertEnds } from '../support/assert-ends.js';

const heading = (text: string, level = 2): MarkdownBlock => ({
  kind: 'heading',
  text: `${'#'.repeat(level)} ${text} {#${text.toLowerCase()}}`,
  level,
  anchor: text.toLowerCase(),
});
const paragraph = (text: string): MarkdownBlock => ({ kind: 'paragraph', text });
const list = (...items: readonly string[]): MarkdownBlock => ({
  kind: 'list',
  text: items.map((item) => `- ${item}`).join('\n'),
});
const pageOf = (...blocks: readonly MarkdownBlock[]) => MarkdownPage.of({ title: '', isCut: false }, blocks);
const WORDS = 'Other words. '.repeat(40);
const filler = paragraph(WORDS);
const section = (text: string) => [heading(text), paragraph('It is loud.'), filler];

/** Texts of the pieces that answer best. @param budget a new one unless given */
function best(
  page: MarkdownPage,
  query: string,
  { anchor, project }: { readonly anchor?: string; readonly project?: string } = {},
  budget = SearchBudget.start(),
) {
  return bestPieces(page, { query, anchor, project }, budget).map(({ from, to, match }) => ({
    text: page.text.slice(from, to),
    match: page.text.slice(match.from, match.to),
    from: page.text.slice(match.from, to),
  }));
}
const beginning = (pieces: ReturnType<typeof best>) => pieces[0]?.text.split('\n')[0];

/** A budget that suffices for a number of looks at it. */
function budgetOf(looks: number) {
  let looked = 0;
  return new SearchBudget(() => Number(++looked > looks));
}

describe('The pieces of a page', () => {
  const textsOf = (page: MarkdownPage) => piecesOf(page).map(({ from, to }) => page.text.slice(from, to));

  it('cover the whole page, whatever its blocks are', () => {
    const rows = Array.from({ length: 400 }, (_, at) => `| ${at} | row |`).join('\n');
    const page = pageOf(
      heading('Kettle', 1),
      filler,
      heading('Whistle'),
      ...Array.from({ length: 80 }, () => paragraph('It is loud.')),
      { kind: 'table', text: `| n | text |\n| --- | --- |\n${rows}` },
      paragraph('word '.repeat(2_000)),
      paragraph('x'.repeat(5_000)),
      heading('Lid'),
      heading('Spout'),
    );
    const texts = textsOf(page);
    const bare = (text: string) => text.replace(/\n/g, '');
    assert.equal(bare(texts.join('')), bare(page.text));
    assert.ok(
      texts.every(({ length }) => length <= 2_000),
      'a piece is too long',
    );
  });

  it('end at line breaks of a long list, or at sentence ends of a long line', () => {
    const items = Array.from({ length: 300 }, (_, at) => `item ${at} is loud`);
    assert.ok(textsOf(pageOf(list(...items))).every((text) => /^- item \d+ is loud$/m.test(text)));
    const sentences = textsOf(pageOf(paragraph('It is loud. '.repeat(500))));
    assert.ok(sentences.length > 3 && sentences.every((text) => text.startsWith('It is loud.')));
  });

  it('are cut in time linear in the length of the page', () => {
    assertEnds(() => {
      for (const text of ['x', '. ', '- ', 'x\n', '\n ', '<br>']) {
        piecesOf(pageOf(paragraph(text.repeat(5_000_000 / text.length))));
      }
      piecesOf(pageOf(...Array.from({ length: 100_000 }, (_, at) => heading(`Name${at}`, 2 + (at % 5)))));
    });
  });

  it('keep a heading together with the text that follows it', () => {
    const page = pageOf(
      filler,
      heading('Lid'),
      paragraph(WORDS.repeat(2)),
      heading('Spout'),
      heading('Tip', 3),
      filler,
    );
    assert.ok(textsOf(page).every((text) => !/(?:^|\n)#[^\n]*$/.test(text)));
  });

  it('begin with the heading that ends the section of a short text', () => {
    const page = pageOf(heading('Lid', 3), paragraph('It is flat.'), heading('Spout', 2), filler);
    assert.deepEqual(
      textsOf(page).map((text) => text.split('\n')[0]),
      ['### Lid {#lid}', '## Spout {#spout}'],
    );
  });
});

describe('The best pieces of a page for a question', () => {
  const page = pageOf(heading('Kettle', 1), filler, ...section('Whistle'), ...section('Lid'));

  it('contain the words of the question, counting the words of their headings', () => {
    assert.equal(beginning(best(page, 'loud whistle')), '## Whistle {#whistle}');
  });

  it('belong to the section found, unless another section is much better', () => {
    assert.equal(beginning(best(page, 'loud', { anchor: 'lid' })), '## Lid {#lid}');
    assert.equal(beginning(best(page, 'whistle', { anchor: 'lid' })), '## Whistle {#whistle}');
  });

  it('are the matching lines of a long list, each cut to its matching part', () => {
    const items = Array.from({ length: 400 }, (_, at) => `item ${at} is quiet`);
    const [piece] = best(pageOf(list(...items, 'the spout is loud', ...items)), 'loud spout');
    assert.equal(piece?.match, 'spout is ');
    assert.ok((piece?.text.length ?? 0) <= 1_500);
  });

  it('contain a whole identifier rather than its words', () => {
    const words = paragraph(`the clients, at max. some clients, unacked by max. ten clients ${WORDS}`);
    const whole = paragraph(`set max-unacked-clients ${WORDS}`);
    const part = paragraph(`set max-unacked-clients-too, not --max-unacked-clients ${WORDS}`);
    const ordered = best(
      pageOf(words, part, words, filler, filler, filler, whole, filler),
      'max-unacked-clients',
    );
    assert.match(ordered[0]?.text ?? '', /^set max-unacked-clients Other|set max-unacked-clients Other/);
  });

  it('contain an option rather than words that begin with its letter', () => {
    const words = paragraph(`with water we will whistle, with wind, wow ${WORDS.repeat(2)}`);
    const ordered = best(
      pageOf(words, words, paragraph(`give -w or so ${WORDS.repeat(2)}`)),
      'what does -w do',
    );
    assert.match(ordered[0]?.text ?? '', /^give -w/);
  });

  it('explain an identifier rather than mention it', () => {
    const mention = paragraph(`max-delay and max-delay, but never max-delay: ${WORDS.repeat(2)}`);
    const page = pageOf(mention, list(`\`max-delay\` - the time ${WORDS.repeat(2)}`), mention);
    assert.match(best(page, 'max-delay')[0]?.text ?? '', /the time/);
  });

  it('explain an identifier rather than list it, as a table of contents does', () => {
    const contents = list(...Array.from({ length: 90 }, (_, at) => `name${at}`), 'omitNothing');
    const explained = paragraph(`${WORDS.repeat(2)} omitNothing is off, unless omitNothing is on`);
    const page = pageOf(contents, filler, heading('Names'), explained, heading('Lid'), filler);
    assert.match(best(page, 'omitNothing')[0]?.text ?? '', /is off/);
  });

  it('contain both compared words, even when one begins with the other', () => {
    const one = paragraph(`oscili, oscili, oscili and oscili ${WORDS.repeat(2)}`);
    const both = paragraph(`oscili differs from oscil ${WORDS.repeat(2)}`);
    assert.match(best(pageOf(one, one, both, one), 'oscil vs oscili')[0]?.text ?? '', /differs/);
  });

  it('match without the project name at the front of the question', () => {
    const name = [heading('Tea-Kettle'), paragraph(`Tea kettle of the tea kettle ${WORDS}`)];
    const page = pageOf(...name, filler, ...section('Lid'), filler);
    const query = 'Tea-Kettle: is the lid loud';
    assert.equal(beginning(best(page, query)), '## Tea-Kettle {#tea-kettle}');
    assert.equal(beginning(best(page, query, { project: 'tea-kettle' })), '## Lid {#lid}');
    assert.equal(
      beginning(best(page, 'tea-kettle', { project: 'tea-kettle' })),
      '## Tea-Kettle {#tea-kettle}',
    );
  });

  it('are the best of the pieces ranked before the budget was spent, within the section found first', () => {
    const many = Array.from({ length: 50 }, (_, at) => section(`Part${at}`)).flat();
    const long = pageOf(heading('Whistle'), filler, ...many, ...section('Lid'));
    assert.equal(beginning(best(long, 'loud whistle', { anchor: 'lid' }, budgetOf(1))), '## Lid {#lid}');
    assert.equal(beginning(best(long, 'whistle', {}, budgetOf(3))), '## Whistle {#whistle}');
  });

  it('are the beginning of the section found once the budget is spent, and empty without a section', () => {
    assert.deepEqual(best(page, 'loud', {}, budgetOf(0)), []);
    const [only, ...others] = best(page, 'loud', { anchor: 'lid' }, budgetOf(0));
    assert.match(only?.text ?? '', /^## Lid \{#lid\}\n\nIt is loud/);
    assert.deepEqual(others, []);
  });

  it('stay within their share of the budget', () => {
    const half = new SearchBudget(() => 0.6);
    assert.deepEqual(bestPieces(page, { query: 'loud' }, half, 0.5), []);
    assert.notDeepEqual(bestPieces(page, { query: 'loud' }, half, 1), []);
  });
});
