import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bestPieces } from '../../src/application/agents/best-blocks.js';
import { beginOf, filledFrom, textFrom } from '../../src/application/agents/shown-part.js';
import { SearchBudget } from '../../src/application/search/search-budget.js';
import { type MarkdownBlock, MarkdownPage } from '../../src/formats/html/index.js';

const heading = (text: string, level = 2): MarkdownBlock => ({
  kind: 'heading',
  text: `${'#'.repeat(level)} ${text}`,
  level,
});
const paragraph = (text: string): MarkdownBlock => ({ kind: 'paragraph', text });
const pageOf = (...blocks: readonly MarkdownBlock[]) => MarkdownPage.of({ title: '', isCut: false }, blocks);
const numbered = (line: (at: number) => string, count = 500) =>
  Array.from({ length: count }, (_, at) => line(at));

/** The text that is shown of a page for a question, in so many characters. */
function shown(page: MarkdownPage, query: string, room: number): string {
  const [piece] = bestPieces(page, { query }, SearchBudget.start());
  assert.ok(piece !== undefined);
  const text = textFrom(page, beginOf(page, piece, room), room).join('\n\n');
  assert.ok(text.length <= room + '\n[cut]'.length, `${text.length} characters`);
  return text;
}

describe('The excerpt of a page for a question', () => {
  const rows = (at: number) => (at === 321 ? '| whistle | loud |' : `| part${at} | quiet |`);
  const table: MarkdownBlock = {
    kind: 'table',
    text: ['| part | sound |', '| --- | --- |', ...numbered(rows)].join('\n'),
  };
  const items = (at: number) => (at === 321 ? '- **whistle**: it is loud' : `- **part${at}**: it is quiet`);
  const list: MarkdownBlock = { kind: 'list', text: numbered(items).join('\n') };

  for (const room of [200, 500, 2_000]) {
    it(`includes the matching row of a long table, below its header, in ${room} characters`, () => {
      const text = shown(pageOf(heading('Parts'), table), 'loud whistle', room);
      assert.match(text, /^## Parts\n\n\[cut\]\n\n\| part \| sound \|\n\| --- \| --- \|\n/);
      assert.match(text, /\n\| whistle \| loud \|(?:\n|$)/);
    });
    it(`includes the matching item of a long list, in ${room} characters`, () => {
      const text = shown(pageOf(heading('Parts'), paragraph('These are all.'), list), 'loud whistle', room);
      assert.match(text, /^## Parts\n\n\[cut\]\n\n- \*\*part/);
      assert.match(text, /\n- \*\*whistle\*\*: it is loud(?:\n|$)/);
    });
    it(`includes the matching sentence of a long paragraph, in ${room} characters`, () => {
      const sentence = (at: number) => (at === 321 ? 'The whistle is loud.' : `Part ${at} is quiet.`);
      const text = shown(pageOf(paragraph(numbered(sentence).join(' '))), 'loud whistle', room);
      assert.match(text, /^\[cut\]\n\n(?:Part|The)/);
      assert.match(text, /The whistle is loud\./);
    });
  }

  it('begins at a heading above the piece when the text between fits', () => {
    const page = pageOf(
      heading('Kettle', 1),
      paragraph('It boils. '.repeat(30)),
      heading('Whistle'),
      paragraph('It is loud.'),
    );
    assert.match(shown(page, 'loud', 2_000), /^# Kettle/);
    assert.match(shown(page, 'loud', 200), /^## Whistle/);
  });

  it('begins with the matching item when the room ends before it', () => {
    const quiet = paragraph(`It boils. ${'Other words. '.repeat(60)}`);
    const page = pageOf(
      heading('Kettle', 1),
      quiet,
      paragraph('The whistle is loud.'),
      paragraph('More of it.'),
    );
    const text = shown(page, 'loud whistle', 300);
    assert.match(text, /^# Kettle\n\n.*The whistle is loud\.\n\nMore of it\.$/s);
  });

  it('includes the beginning of a long block that follows', () => {
    const text = textFrom(pageOf(heading('Parts'), list), { at: 0, from: 0 }, 400).join('\n\n');
    assert.match(text, /^## Parts\n\n- \*\*part0\*\*: it is quiet\n.*\n\[cut\]$/s);
    assert.ok(text.length > 300);
  });

  it('ends without a heading, except in a list of headings alone', () => {
    const page = pageOf(paragraph('It is loud.'), heading('Lid'), paragraph('It is flat. '.repeat(40)));
    assert.deepEqual(textFrom(page, { at: 0, from: 0 }, 40), ['It is loud.']);
    const names = pageOf(...numbered((at) => `Name${at}`).map((name) => heading(name)));
    assert.equal(textFrom(names, { at: 10, from: 0 }, 20 * '## Name10\n\n'.length).length, 20);
  });

  it('begins earlier, at a block, when the rest of the page leaves room', () => {
    const page = pageOf(...numbered((at) => `Paragraph ${100 + at}.`, 100).map(paragraph));
    const size = 'Paragraph 100.\n\n'.length;
    assert.deepEqual(filledFrom(page, { at: 98, from: 0 }, 10 * size), { at: 90, from: 0 });
    assert.deepEqual(filledFrom(page, { at: 50, from: 0 }, 10 * size), { at: 50, from: 0 });
    assert.deepEqual(filledFrom(page, { at: 98, from: 3 }, 1_000 * size), { at: 0, from: 0 });
  });
});
