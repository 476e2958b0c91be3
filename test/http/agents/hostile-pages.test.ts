import assert from 'node:assert/strict';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { mcpClient } from '../../support/mcp-client.js';
import { TestServer } from '../../support/server.js';

/** More than is read of a page. */
const BYTES = 12_000_000;
/** Max. characters of a page in Markdown, with what stands in front of it. */
const MAX_PAGE = 4_000_000;
/** Max. characters of an answer: 8,000 tokens, and what stands around the text. */
const MAX_ANSWER = 33_000;
const CUT = '[the rest of the page is too long to be converted]';

const PAGES: readonly (readonly [what: string, path: string, html: () => string])[] = [
  ['100,000 elements deep', 'deep.html', () => `<h1>Deep</h1>${'<div>a'.repeat(100_000)}`],
  ['with 400,000 links', 'links.html', () => `<h1>Links</h1>${'<a href="x.html">x</a> '.repeat(400_000)}`],
  [
    'with a table of 500,000 cells',
    'cells.html',
    () => `<h1>Cells</h1><table>${'<tr><td>a<td>b'.repeat(250_000)}`,
  ],
  ['of 12 MB', 'large.html', () => `<h1>Large</h1>${'<p>Some words.</p>\n'.repeat(BYTES / 19)}`],
];

/** A manual on one page of 8 MB. */
const MANUAL = [
  '<title>Manual</title><p>See <a href="#part-of-79">79</a>.',
  ...Array.from(
    { length: 80 },
    (_, n) =>
      `<h2 id="chapter-${n}">Chapter ${n}</h2>${'<p>The lid of the kettle is closed.</p>'.repeat(2_700)}<p id="part-of-${n}">Whistle${n}.`,
  ),
].join('');

describe('A hostile page', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await TestServer.start();
    const site = join(server.docs, '.coming');
    await mkdir(site);
    for (const [, path, html] of PAGES) await writeFile(join(site, path), html());
    await writeFile(join(site, 'heading.html'), `<h1>${'word '.repeat(200_000)}</h1>`);
    await writeFile(join(site, 'manual.html'), MANUAL);
    await writeFile(join(site, 'index.html'), '<h1>Front</h1>');
    await writeFile(join(site, 'title.html'), `<title>${'x'.repeat(99)}😀 and more</title>`);
    // Renamed as a whole: its revision does not change any more.
    await rename(site, join(server.docs, 'kettle-1.0'));
    await server.shows('/kettle-1.0/index.html');
    client = await mcpClient(server);
  });
  after(async () => {
    await client.close();
    await server.close();
  });

  const read = async (given: Readonly<Record<string, unknown>>) => {
    const { content, isError } = await client.callTool({
      name: 'read_page',
      arguments: { project: 'kettle', max_tokens: 8_000, ...given },
    });
    assert.notEqual(isError, true);
    return content.map((each) => (each.type === 'text' ? each.text : '')).join('\n');
  };

  for (const [what, path] of PAGES) {
    it(`is sent as Markdown in part, with a remark: ${what}`, async () => {
      const answer = await server.get(`/kettle-1.0/${path}.md`);
      const text = await answer.text();
      assert.equal(answer.status, 200);
      assert.ok(text.length < MAX_PAGE, `${text.length} characters`);
      assert.match(text.slice(0, text.indexOf('\n---\n')), /\ncut: "/);
    });

    it(`is read in bounded parts, up to its cut: ${what}`, async () => {
      let text = await read({ path });
      let reads = 1;
      assert.match(text, /^---\ntitle: /);
      for (;;) {
        assert.ok(text.length < MAX_ANSWER, `${text.length} characters`);
        const [, cursor] = /\nmore: cursor=([\d.]+)$/.exec(text) ?? [];
        if (cursor === undefined) break;
        text = await read({ path, cursor });
        reads += 1;
      }
      assert.ok(text.endsWith(CUT), text.slice(-200));
      assert.ok(reads * MAX_ANSWER < 2 * MAX_PAGE, `${reads} reads`);
    });

    it(`is read from the answering section: ${what}`, async () => {
      const text = await read({ path, query: 'some words of x' });
      assert.ok(text.length < MAX_ANSWER, `${text.length} characters`);
    });
  }

  it('is sent whole when its heading is a long text without a title', async () => {
    const text = await (await server.get('/kettle-1.0/heading.html.md')).text();
    assert.ok(text.length > 1_000_000 && !text.includes('\ncut: '));
  });

  it('is sent as Markdown to its end at 8 MB', async () => {
    const text = await (await server.get('/kettle-1.0/manual.html.md')).text();
    assert.doesNotMatch(text.slice(0, 1_000), /\ncut: /);
    assert.ok(text.endsWith('\n\nWhistle79.\n'));
  });

  it('is read at any anchor, by a question, and on to its end, at 8 MB', async () => {
    assert.match(await read({ path: 'manual.html#chapter-79' }), /\n---\n\n## Chapter 79 \{#chapter-79\}\n/);
    assert.match(await read({ path: 'manual.html#part-of-79' }), /\n---\n\nWhistle79\.$/);
    assert.match(await read({ path: 'manual.html', query: 'whistle78' }), /\nWhistle78\.\n/);
    let text = await read({ path: 'manual.html', anchor: 'part-of-78' });
    assert.match(text, /\n---\n\nWhistle78\.\n\n## Chapter 79 .*\nmore: /s);
    let reads = 0;
    for (; reads < 10; reads += 1) {
      const [, cursor] = /\nmore: cursor=([\d.]+)$/.exec(text) ?? [];
      if (cursor === undefined) break;
      text = await read({ path: 'manual.html', cursor });
    }
    assert.equal(reads, 2);
    assert.ok(text.endsWith('\n\nWhistle79.'));
  });

  it('is read at an anchor from the part that answers a question, and on, at 8 MB', async () => {
    const long = await read({ path: 'manual.html#chapter-5', query: 'whistle5' });
    assert.match(long, /\nWhistle5\.\n/);
    assert.doesNotMatch(long, /\n## Chapter 5 /);
    const short = await read({ path: 'manual.html#part-of-5', query: 'whistle5' });
    assert.match(short, /\n---\n\nWhistle5\.\n\n## Chapter 6 /);
  });

  it('is sent with a remark when it is too long and an anchor may be in its rest', async () => {
    assert.match(
      await read({ path: 'large.html#end' }),
      /\nnote: nothing of what is read of this page, which is too long, has the anchor 'end'\n/,
    );
  });

  it('is listed without half a character of a long title, which clients would refuse', async () => {
    const { content } = await client.callTool({ name: 'list_pages', arguments: { project: 'kettle' } });
    const [list] = content;
    assert.ok(list?.type === 'text');
    assert.match(list.text, /\ntitle\.html: x{99}(?:\n|$)/);
  });

  it('leaves other pages of the site readable', async () => {
    assert.match(await read({ path: 'index.html' }), /\n# Front$/);
  });
});
