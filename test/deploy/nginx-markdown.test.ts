import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needsNginx, startNginx, startNginxOfThree } from '../support/nginx.js';
import { TestServer } from '../support/server.js';
import type { WebServer } from '../support/web-server.js';

const MARKDOWN = 'text/markdown; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const FILES = {
  'index.html': '<h1>Front</h1>',
  'guide/a b.html': '<h1>Guide</h1>',
  'shipped.md': 'Shipped',
  'shipped.html': '<h1>HTML</h1>',
  'style.css': 'p{}',
};

const STARTED = [
  ['nginx', (server: TestServer) => startNginx(server.docs, server.url)],
  [
    'nginx with copies of pages',
    (server: TestServer) => startNginxOfThree([server.url, server.url, server.url]),
  ],
] as const;

for (const [what, start] of STARTED) {
  describe(`Markdown behind ${what}`, needsNginx, () => {
    let server: TestServer;
    let nginx: WebServer;
    before(async () => {
      server = await TestServer.start({ trustProxy: true });
      await server.upload('tool-1.0-docs.zip', FILES);
      nginx = await start(server);
    });
    after(async () => {
      await nginx.close();
      await server.close();
    });

    const sent = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(nginx.url + path, { headers });
      return { answer, type: answer.headers.get('content-type'), body: await answer.text() };
    };

    it('is sent to clients that prefer it, and HTML to all others, whoever asked before', async () => {
      for (const [accept, type] of [
        ['*/*', HTML],
        ['text/markdown', MARKDOWN],
        ['text/html,application/xhtml+xml,*/*;q=0.8', HTML],
        ['text/html, text/Markdown;q=0.5', HTML],
        ['text/markdown, text/html, */*', MARKDOWN],
        ['text/*', HTML],
      ] as const) {
        for (const path of ['/tool-1.0/', '/tool-latest/index.html']) {
          const { answer, ...page } = await sent(path, { Accept: accept });
          assert.deepEqual([accept, answer.status, page.type], [accept, 200, type]);
          assert.match(page.body, type === HTML ? /^<h1>Front/ : /\n# Front\n$/);
        }
      }
    });

    it('is sent at its own addresses, except where the site has a file', async () => {
      for (const path of ['/tool-1.0/index.html.md', '/tool-latest/index.md']) {
        const { type, body } = await sent(path);
        assert.deepEqual([path, type], [path, MARKDOWN]);
        assert.match(body, /\n# Front\n$/);
      }
      assert.equal((await sent('/tool-1.0/shipped.md')).body, 'Shipped');
      assert.equal((await sent('/tool-1.0/none.md')).answer.status, 404);
    });

    it('is linked from HTML, which varies by Accept', async () => {
      for (const path of ['/tool-1.0/', '/tool-1.0/index.html?x', '/tool-1.0/guide/a%20b.html']) {
        const { answer } = await sent(path);
        const [markdown = '', list = ''] = (answer.headers.get('link') ?? '').split(', ');
        const [, address = ''] = /^<(.*)>; rel="alternate"; type="text\/markdown"$/.exec(markdown) ?? [];
        assert.equal(list, '</tool-1.0/llms.txt>; rel="describedby"; type="text/plain"');
        assert.equal((await sent(address)).type, MARKDOWN, address);
        assert.equal(answer.headers.get('vary'), 'Accept, Accept-Encoding');
      }
      const { answer } = await sent('/tool-1.0/style.css');
      assert.deepEqual([answer.headers.get('link'), answer.headers.get('vary')], [null, 'Accept-Encoding']);
    });
  });
}
