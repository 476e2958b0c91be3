import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { TestServer, type TestServerOptions } from '../../support/server.js';

const ORIGIN = 'https://docs.example.org';
const LINK = /<link rel="search"[^>]*>/;

describe('The OpenSearch description', () => {
  const servers: TestServer[] = [];
  after(() => Promise.all(servers.map((server) => server.close())));
  const start = async (options: TestServerOptions) => {
    const server = await TestServer.start(options);
    servers.push(server);
    await server.upload('kettle-1.0-docs.zip', {
      'index.html': '<title>Kettle</title><main><p>It boils <b>tea & water</b>.</p></main>',
    });
    return server;
  };

  it('is named in the head of own pages, and its template leads to the results', async () => {
    const server = await start({ origin: ORIGIN, basePath: '/docs', search: new MemorySearchIndex() });
    await server.isIndexed();
    for (const page of ['/', '/help', '/-/search', '/-/projects/kettle', '/nothing']) {
      const [link = ''] = LINK.exec(await (await server.get(page)).text()) ?? [];
      assert.match(link, /type="application\/opensearchdescription\+xml" title="Lectern"/, page);
      assert.match(link, /href="\/docs\/-\/opensearch\.xml"/, page);
    }
    const answer = await server.get('/-/opensearch.xml');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/opensearchdescription+xml; charset=utf-8');
    const text = await answer.text();
    assert.match(text, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<OpenSearchDescription xmlns="[^"]+">/);
    assert.match(text, /<ShortName>Lectern<\/ShortName>/);
    const [, template = ''] = /<Url type="text\/html" template="([^"]*)"\/>/.exec(text) ?? [];
    assert.equal(template, `${ORIGIN}/docs/-/search?q={searchTerms}`);
    const address = template.replace('{searchTerms}', encodeURIComponent('tea & water'));
    const found = await (await server.get(address.slice(`${ORIGIN}/docs`.length))).text();
    assert.match(found, /1 page[\s\S]*tea &amp; water[\s\S]*kettle-latest/);
    const [, icon = ''] = /<Image[^>]*>([^<]*)</.exec(text) ?? [];
    assert.equal((await server.get(icon.slice(`${ORIGIN}/docs`.length))).status, 200);
  });

  it('is missing without a public address, and where search is unavailable', async () => {
    for (const options of [{ search: new MemorySearchIndex() }, { origin: ORIGIN }]) {
      const server = await start(options);
      assert.equal((await server.get('/-/opensearch.xml')).status, 404);
      assert.doesNotMatch(await (await server.get('/')).text(), LINK);
    }
  });
});
