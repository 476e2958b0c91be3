import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ThreadedPageMarkdown } from '../../src/adapters/markdown/index.js';
import { joined } from '../../src/formats/html/index.js';

describe('Turning pages into Markdown', () => {
  const markdown = new ThreadedPageMarkdown();
  after(() => markdown.close());

  const textOf = async (html: string, withLinks = true) =>
    joined((await markdown.convert(Buffer.from(html), withLinks)).blocks);

  it('lets links from page to page lead to Markdown, and keeps others', async () => {
    assert.equal(
      await textOf(
        '<a href="../b.html?x#y">a</a> <a href="c/">b</a> <a href="/d.html">c</a> <a href="#e">d</a> ' +
          '<a href="https://example.org/e.html">e</a> <a href="javascript:f()">f</a>',
      ),
      '[a](../b.html.md?x#y) [b](c/) [c](/d.html) [d](#e) [e](https://example.org/e.html) f',
    );
  });

  it('leaves out targets that are not wanted, and those that a <base> changes', async () => {
    assert.equal(await textOf('<a href="a.html">a</a>', false), 'a');
    assert.equal(await textOf('<base href="/b/"><a href="a.html">a</a>'), 'a');
  });
});
