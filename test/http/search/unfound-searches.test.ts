import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MemoryTokenRegistry } from '../../../src/adapters/memory/index.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { MemoryUsageStore } from '../../support/memory-usage-store.js';
import { type Json, TestServer } from '../../support/server.js';

const tokens = () =>
  new MemoryTokenRegistry([
    { name: 'admin', secret: 'secret-admin', allowManage: true },
    { name: 'uploader', secret: 'secret-uploader' },
    { name: 'owner', secret: 'secret-owner', projects: ['tool'], allowManage: true },
    { name: 'pattern', secret: 'secret-pattern', projects: ['t*'], allowManage: true },
    { name: 'reader', secret: 'secret-reader', projects: [], read: ['tool'], allowManage: true },
    { name: 'previews', secret: 'secret-previews', allowManage: true, previewsOnly: true },
  ]);

describe('Searches without results, with --usage,', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({
      tokens: tokens(),
      trustProxy: true,
      search: new MemorySearchIndex(),
      usage: new MemoryUsageStore(),
    });
    await server.upload('tool-1.0-docs.zip', {
      'index.html': '<title>t</title><main><h1>Kettle</h1><p>boil</main>',
    });
    await server.isIndexed();
  });
  after(() => server.close());

  const CLIENTS = ['192.0.2.1', '192.0.2.2', '2001:db8:0:1::1', '2001:db8:0:2::1', '192.0.2.3'];
  const ask = async (path: string, clients = CLIENTS, headers = {}) => {
    for (const client of clients) {
      const response = await server.get(path, { 'X-Forwarded-For': client, ...headers });
      await response.arrayBuffer();
    }
  };
  const askAgents = async (query: string) => {
    for (const client of CLIENTS) {
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search_docs', arguments: { query } },
      };
      const response = await server.fetch('/-/mcp', {
        method: 'POST',
        headers: {
          'X-Forwarded-For': client,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(message),
      });
      await response.arrayBuffer();
    }
  };
  const report = async (): Promise<Json> => {
    await server.saveUsage();
    const response = await server.get('/api/usage/searches', { 'X-Token': 'secret-admin' });
    assert.equal(response.headers.get('cache-control'), 'no-store');
    return response.json();
  };

  it('are listed once five clients searched for the same, by the API and the page of results, agents apart', async () => {
    await ask('/api/search?q=Frobnicate', CLIENTS.slice(0, 3));
    await ask('/-/search?q=frobnicate', CLIENTS.slice(2, 4));
    assert.deepEqual((await report()).people, []);
    await ask('/-/search?q=frobNicate', CLIENTS.slice(4));
    await askAgents('zymurgy');
    const { people, agents } = await report();
    assert.deepEqual(people, [{ query: 'frobNicate', clients: 5 }]);
    assert.deepEqual(agents, [{ query: 'zymurgy', clients: 5 }]);
  });

  it('exclude searches with results, while typing, from robots, or from one IPv6 network', async () => {
    const { people, agents } = await report();
    await ask('/api/search?q=boil');
    await ask('/-/search?q=quince&part=true');
    await ask('/api/search?q=quince', CLIENTS, { 'User-Agent': 'ExampleBot/1.0' });
    await ask(
      '/api/search?q=medlar',
      [1, 2, 3, 4, 5].map((number) => `2001:db8:0:7::${number}`),
    );
    await askAgents('boil');
    const later = await report();
    assert.deepEqual([later.people, later.agents], [people, agents]);
  });

  for (const [who, status] of Object.entries({
    nobody: 401,
    wrong: 401,
    uploader: 403,
    owner: 403,
    pattern: 403,
    reader: 403,
    previews: 403,
    admin: 200,
  })) {
    it(`are shown to tokens that manage every project, and nobody else: ${who} gets ${status}`, async () => {
      const headers = who === 'nobody' ? {} : { 'X-Token': `secret-${who}` };
      const response = await server.get('/api/usage/searches', headers);
      const body = await response.text();
      assert.equal(response.status, status);
      assert.equal(body.includes('frob'), status === 200);
      if (status === 403) assert.equal(JSON.parse(body).error, 'manage_not_allowed');
    });
  }

  it('have no address without --usage, nor without search', async () => {
    for (const options of [{ usage: new MemoryUsageStore() }, { search: new MemorySearchIndex() }]) {
      const other = await TestServer.start({ tokens: tokens(), ...options });
      const response = await other.get('/api/usage/searches', { 'X-Token': 'secret-admin' });
      assert.equal(response.status, 404);
      await response.arrayBuffer();
      await other.close();
    }
  });
});
