import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ERAS, mcpClient } from '../support/mcp-client.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { needsNginx, startNginx, startNginxOfThree } from '../support/nginx.js';
import { TestServer } from '../support/server.js';
import type { WebServer } from '../support/web-server.js';

const page = (version: string) =>
  `<!doctype html><title>Kettle</title><main><h1>The kettle</h1><p>It whistles at volume ${version}.</p></main>`;

/** A call of each tool, and what its answer has in it. */
const CALLS = [
  ['search_docs', { query: 'volume', project: 'kettle', version: '^2.0' }, /at volume 2\.0/],
  ['read_page', { project: 'kettle', version: '1.2', path: 'index.html' }, /at volume 1\.2/],
  ['list_pages', { project: 'kettle' }, /\nindex\.html: Kettle$/],
  ['find_project', {}, /^kettle: latest 2\.0; 2\.0, 1\.2$/],
  ['compare_versions', { project: 'kettle', from: '1.2' }, /changed: 1\nindex\.html/],
] as const;

const STARTED = [
  ['nginx', (server: TestServer) => startNginx(server.docs, server.url)],
  [
    'nginx with copies of pages',
    (server: TestServer) => startNginxOfThree([server.url, server.url, server.url]),
  ],
] as const;

for (const [what, start] of STARTED) {
  describe(`The Model Context Protocol behind ${what}`, needsNginx, () => {
    let server: TestServer;
    let nginx: WebServer;
    before(async () => {
      server = await TestServer.start({ trustProxy: true, search: new MemorySearchIndex() });
      for (const version of ['1.2', '2.0'])
        await server.upload(`kettle-${version}-docs.zip`, { 'index.html': page(version) });
      await server.isIndexed();
      nginx = await start(server);
    });
    after(async () => {
      await nginx.close();
      await server.close();
    });

    for (const era of ERAS) {
      it(`lists and runs all tools for the official client, ${era}`, async () => {
        const client = await mcpClient(nginx, era);
        try {
          const { tools } = await client.listTools();
          assert.deepEqual(
            tools.map(({ name }) => name),
            CALLS.map(([name]) => name),
          );
          for (const [name, given, expected] of CALLS) {
            const { content, isError } = await client.callTool({ name, arguments: { ...given } });
            assert.match(content.map((each) => (each.type === 'text' ? each.text : '')).join(), expected);
            assert.notEqual(isError, true);
          }
        } finally {
          await client.close();
        }
      });
    }
  });
}
