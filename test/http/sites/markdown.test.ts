import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ask } from '../../support/ask-host.js';
import { TestServer } from '../../support/server.js';

const GUIDE =
  '<html lang="en"><title>Guide</title><nav>Menu</nav><main><h1 id="guide">Guide</h1>' +
  '<p>See <a href="../api/page.html#f">f</a>.</p><pre>x</pre></main>';
const MARKDOWN = 'text/markdown; charset=utf-8';
const GUIDE_IN_MARKDOWN = `---
title: "Guide"
project: "kettle"
version: "2.0"
language: "en"
address: "/kettle-2.0/guide/"
pages: "/kettle-2.0/llms.txt"
---

# Guide {#guide}

See [f](../api/page.html.md#f).

\`\`\`
x
\`\`\`
`;

describe('The Markdown of pages', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const files = {
      'guide/index.html': GUIDE,
      'api/page.html': '<h1>Page</h1>',
      'shipped.html': '<h1>HTML</h1>',
    };
    await server.upload('kettle-1.0-docs.zip', files);
    await server.upload('kettle-2.0-docs.zip', {
      ...files,
      'shipped.html.md': 'Shipped',
      'notes.md': 'Notes',
      'notes.html': '<h1>HTML</h1>',
      'picture.svg': '<svg/>',
      _redirects: '/old.md /api/page.html\n',
      'old.html': '<h1>Old</h1>',
      '404.html': '<h1>Nothing</h1>',
    });
  });
  after(() => server.close());

  const sent = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await server.get(path, headers);
    return { answer, type: answer.headers.get('content-type'), body: await answer.text() };
  };

  it("is at their addresses with .md, with the page's facts in front", async () => {
    for (const path of ['guide/index.html.md', 'guide/index.md', 'guide.md']) {
      const { answer, type, body } = await sent(`/kettle-latest/${path}`);
      assert.deepEqual([answer.status, type, body], [200, MARKDOWN, GUIDE_IN_MARKDOWN]);
    }
    assert.match((await sent('/kettle-2.0/api/page.md')).body, /# Page/);
  });

  it('names the latest version for pages of another one', async () => {
    assert.match((await sent('/kettle-1.0/guide.md')).body, /\nversion: "1\.0"\nlatest: "2\.0"\n/);
  });

  it('is sent in place of HTML to clients that prefer it', async () => {
    for (const accept of [
      'text/markdown',
      'text/markdown; charset=utf-8',
      'text/markdown;charset=UTF-8, text/html',
      'text/markdown, text/html, */*',
      'text/markdown, */*',
      'text/html;q=0.8, text/markdown;q=0.9, text/*',
    ]) {
      const { type, answer, body } = await sent('/kettle-2.0/guide/', { Accept: accept });
      assert.deepEqual([accept, type, body], [accept, MARKDOWN, GUIDE_IN_MARKDOWN]);
      assert.equal(answer.headers.get('vary'), 'Accept, Accept-Encoding');
    }
  });

  it('is sent to no other client, also when both forms are cached', async () => {
    for (const accept of [
      '*/*',
      'text/*',
      'text/*, text/html;q=0.1',
      'text/html, text/markdown',
      'text/html;charset=utf-8, text/markdown;charset=utf-8',
      'text/markdown;q=0.5, */*;q=0.8',
      'text/markdown;q=0, text/plain',
      `text/markdown, ${'a/b,'.repeat(1_000)}`,
    ]) {
      const { type, body } = await sent('/kettle-2.0/guide/', { Accept: accept });
      assert.deepEqual([accept, type, body], [accept, 'text/html; charset=utf-8', GUIDE]);
    }
  });

  it('gives way to files of the site and its redirects', async () => {
    assert.equal((await sent('/kettle-2.0/shipped.html.md')).body, 'Shipped');
    assert.equal((await sent('/kettle-2.0/notes.md')).body, 'Notes');
    assert.match((await sent('/kettle-2.0/notes.html.md')).body, /# HTML/);
    const moved = await sent('/kettle-2.0/old.md');
    assert.deepEqual(
      [moved.answer.status, moved.answer.headers.get('location')],
      [302, '/kettle-2.0/api/page.html'],
    );
  });

  it('is missing without a page', async () => {
    for (const path of [
      'none.md',
      'none.html.md',
      'picture.svg.md',
      'picture.md',
      '.md',
      'guide/.md',
      'guide.md/',
    ]) {
      const { answer, body } = await sent(`/kettle-2.0/${path}`, { Accept: 'text/markdown' });
      assert.deepEqual([path, answer.status], [path, 404]);
      assert.match(body, /Nothing/);
    }
  });

  it('is linked from the HTML, which varies by Accept', async () => {
    const { answer } = await sent('/kettle-latest/guide/');
    assert.equal(
      answer.headers.get('link'),
      '</kettle-2.0/guide/index.html.md>; rel="alternate"; type="text/markdown", ' +
        '</kettle-2.0/llms.txt>; rel="describedby"; type="text/plain"',
    );
    assert.match(answer.headers.get('vary') ?? '', /\bAccept\b(?!-)/);
    const picture = await sent('/kettle-latest/picture.svg');
    assert.deepEqual(
      [picture.answer.headers.get('link'), picture.answer.headers.get('vary')],
      [null, 'Accept-Encoding'],
    );
  });

  it('has a token count, a list of pages, a validator, and noindex', async () => {
    const { answer, body } = await sent('/kettle-2.0/guide.md');
    const { headers } = answer;
    assert.equal(headers.get('x-markdown-tokens'), `${Math.ceil(body.length / 4)}`);
    assert.equal(headers.get('x-robots-tag'), 'noindex');
    assert.equal(headers.get('link'), '</kettle-2.0/llms.txt>; rel="describedby"; type="text/plain"');
    const again = await sent('/kettle-2.0/guide.md', { 'If-None-Match': headers.get('etag') ?? '' });
    assert.deepEqual([again.answer.status, again.body], [304, '']);
    const head = await server.fetch('/kettle-2.0/guide.md', { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, `${body.length}`]);
    assert.notEqual(headers.get('etag'), (await sent('/kettle-2.0/guide/')).answer.headers.get('etag'));
  });

  it('follows replacements, also in a copied-in directory', async () => {
    await mkdir(join(server.docs, 'hand-1.0'));
    await writeFile(join(server.docs, 'hand-1.0/a.html'), '<p>One</p>');
    await server.shows('/hand-1.0/a.html');
    assert.match((await sent('/hand-1.0/a.md')).body, /\nOne\n$/);
    await writeFile(join(server.docs, 'hand-1.0/a.html'), '<p>Another</p>');
    assert.match((await sent('/hand-1.0/a.md')).body, /\nAnother\n$/);
  });

  it('reports a cut of a page that is too long, and is never refused for it', async () => {
    await server.upload('long-1.0-docs.zip', { 'a.html': `<p>${'word '.repeat(2_100_000)}` });
    const { answer, body } = await sent('/long-1.0/a.html', { Accept: 'text/markdown' });
    assert.equal(answer.status, 200);
    assert.match(body.slice(0, 500), /\ncut: "The rest is missing/);
    assert.ok(body.length > 9_990_000 && body.length < 10_010_000);
  });
});

describe('The Markdown of pages on the hosts of projects', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({
      origin: 'http://docs.example.org',
      hosts: { domain: 'docs.example.org', isRedirecting: true },
    });
    await server.upload('kettle-2.0-docs.zip', { 'guide.html': '<title>G</title><p>A guide</p>' });
  });
  after(() => server.close());

  it('has the addresses of the hosts', async () => {
    const html = await ask(server, 'kettle.docs.example.org', '/guide.html');
    assert.match(
      String(html.headers.link),
      /<http:\/\/2-0--kettle\.docs\.example\.org\/guide\.html\.md>; rel="alternate"/,
    );
    const markdown = await ask(server, 'kettle.docs.example.org', '/guide.md');
    assert.equal(markdown.headers['content-type'], MARKDOWN);
    assert.match(markdown.body, /\naddress: "http:\/\/2-0--kettle\.docs\.example\.org\/guide\.html"\n/);
  });
});
