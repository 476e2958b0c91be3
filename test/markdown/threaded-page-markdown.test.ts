import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ThreadedPageMarkdown } from '../../src/adapters/markdown/threaded-page-markdown.js';

describe('Converting pages to Markdown', () => {
  const markdown = new ThreadedPageMarkdown();
  after(() => markdown.close());

  const textOf = async (html: string, withLinks = true) =>
    (await markdown.convert(async () => Buffer.from(html), withLinks)).text;

  it('rewrites links between pages to Markdown, and keeps others', async () => {
    assert.equal(
      await textOf(
        '<a href="../b.html?x#y">a</a> <a href="c/">b</a> <a href="/d.html">c</a> <a href="#e">d</a> ' +
          '<a href="https://example.org/e.html">e</a> <a href="javascript:f()">f</a>',
      ),
      '[a](../b.html.md?x#y) [b](c/) [c](/d.html) [d](#e) [e](https://example.org/e.html) f',
    );
  });

  it('leaves out unwanted link targets, and those changed by a <base>', async () => {
    assert.equal(await textOf('<a href="a.html">a</a>', false), 'a');
    assert.equal(await textOf('<base href="/b/"><a href="a.html">a</a>'), 'a');
  });

  it('finds the blocks that answer a question, and prefers those of the section found', async () => {
    const filler = `<p>${'Other words. '.repeat(40)}</p>`;
    const sections = ['Lid', 'Whistle'].map(
      (name) => `<h2 id="${name}">${name}</h2><p>It is loud.</p>${filler}`,
    );
    const page = await markdown.convert(
      async () => Buffer.from(`<h1>Kettle</h1>${filler}${sections.join('')}`),
      false,
    );
    const headingOf = async (query: string, anchor?: string) => {
      const [[best] = []] = await markdown.bestBlocks(query, [{ page, anchor }]);
      return page.blocks(page.blockAt(best?.from ?? -1))[0]?.anchor;
    };
    assert.equal(await headingOf('loud whistle'), 'Whistle');
    assert.equal(await headingOf('loud', 'Lid'), 'Lid');
    assert.equal(await headingOf('whistle', 'Lid'), 'Whistle');
  });
});
