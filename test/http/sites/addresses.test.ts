import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { AS, withPrivate } from '../../support/private-projects.js';
import { type Json, TestServer } from '../../support/server.js';

const page = (title: string, body = '') =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1>${body}`;

describe('The short address of a project', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start(withPrivate());
    await server.upload('shown-1.0-docs.zip', { 'index.html': page('Shown'), 'objects.inv': 'inventory' });
    await server.upload('vault-1.0-docs.zip', { 'index.html': page('Vault'), 'objects.inv': 'secret' });
    await server.upload('drafts~one-docs.zip', { 'index.html': page('Draft') });
    await server.upload('api-1.0-docs.zip', { 'index.html': page('API') });
    await server.upload('help-1.0-docs.zip', { 'index.html': page('Help') });
  });
  after(() => server.close());

  const locationOf = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await server.get(path, headers);
    await answer.arrayBuffer();
    return [answer.status, answer.headers.get('location')];
  };

  it('redirects to each path of the latest version, with the query, uncached', async () => {
    const answer = await server.get('/shown/objects.inv?v=1');
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('location'), '/shown-latest/objects.inv?v=1');
    assert.equal(answer.headers.get('cache-control'), 'no-cache');
    const followed = await server.fetch('/shown/objects.inv');
    assert.equal(await followed.text(), 'inventory');
  });

  it('is 404 for a private project, for readers without access', async () => {
    const asked = async (project: string, headers = {}) => {
      const answer = await server.get(`/${project}/objects.inv`, headers);
      return [answer.status, (await answer.text()).replaceAll(project, 'PROJECT')];
    };
    for (const who of [AS.nobody, AS.bob, AS.stranger]) {
      assert.deepEqual(await asked('vault', who), await asked('qqqqq', who));
    }
    assert.deepEqual(await locationOf('/vault/objects.inv', AS.reader), [302, '/vault-latest/objects.inv']);
  });

  it('is 404 for a project that has only previews', async () => {
    assert.equal((await server.get('/drafts/')).status, 404);
    assert.equal((await server.get('/drafts/objects.inv')).status, 404);
  });

  it('gives way to the addresses of the server', async () => {
    assert.equal((await server.get('/help')).status, 200);
    assert.equal((await server.get('/api/projects')).status, 200);
    const answer = await server.get('/api/objects.inv');
    assert.deepEqual([answer.status, ((await answer.json()) as Json).error], [404, 'not_found']);
    assert.deepEqual(await locationOf('/help/objects.inv'), [302, '/help-latest/objects.inv']);
  });

  it('never copies a text of the request into a redirect that could lead elsewhere', async () => {
    for (const path of [
      '/shown//evil.example',
      '/shown/%2Fevil.example',
      '/shown/%5Cevil.example',
      '/shown/\\evil.example',
      '/shown/../evil',
      '/shown/%2e%2e/evil',
      '/shown/a/%2e%2e//evil.example',
      '/shown/%0d%0aLocation:%20https://evil.example',
      '/shown/%E0%A4%A',
    ]) {
      const { status, head } = await server.rawGet(path);
      assert.equal(status, 404, path);
      assert.doesNotMatch(head, /^location:/im, path);
    }
  });

  it('suggests the page of the latest version at `/-/go/`, which needs a version', async () => {
    const answer = await server.get('/-/go/shown/objects.inv');
    const text = await answer.text();
    assert.equal(answer.status, 404);
    assert.match(text, /No such version/);
    assert.match(text, /href="\/shown-latest\/objects\.inv"/);
  });
});

describe('Files whose names are decomposed', () => {
  const NAME = 'fu\u0308r';
  const ADDRESS = encodeURIComponent(NAME);
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ search: new MemorySearchIndex() });
    await server.upload('tool-1.0-docs.zip', {
      'index.html': page('Tool', '<a href="f\u00fcr.html">für</a> <img src="f\u00fcr.png">'),
      [`${NAME}.html`]: page('Fur', '<p>whistle</p>'),
      [`${NAME}.png`]: 'image',
      'both/f\u00fcr.html': page('Composed'),
      [`both/${NAME}.html`]: page('Decomposed'),
      'big.pdf': 'big',
    });
    await server.upload('bare-1.0-docs.zip', { [`${NAME}.html`]: page('Fur'), [`${NAME}.png`]: 'image' });
    await server.isIndexed();
  });
  after(() => server.close());

  /** Follows redirects, as a reader does. */
  const textAt = async (path: string) => {
    const answer = await server.fetch(path);
    assert.equal(answer.status, 200, path);
    return answer.text();
  };

  it('are served at a composed link, from memory as well', async () => {
    for (let round = 0; round < 2; round++) {
      assert.match(await textAt('/tool-1.0/f%C3%BCr.html'), /<title>Fur</);
      assert.match(await textAt('/tool-latest/f%C3%BCr'), /<title>Fur</);
      assert.equal(await textAt('/tool-1.0/f%C3%BCr.png'), 'image');
      assert.match(await textAt('/tool-1.0/f%C3%BCr.html.md'), /whistle/);
      assert.match(await textAt('/tool-1.0/both/f%C3%BCr.html'), /<title>Composed/);
      assert.match(await textAt(`/tool-1.0/both/${ADDRESS}.html`), /<title>Decomposed/);
    }
  });

  it('are suggested, and are targets of /-/go', async () => {
    for (const [asked, url] of [
      ['f%C3%BCr.html', `${ADDRESS}.html`],
      ['f%C3%BCr.png', `${ADDRESS}.png`],
      ['big.pdf/', 'big.pdf'],
    ] as const) {
      const { closest } = await server.json(`/-/suggest/tool-1.0/${asked}`);
      assert.equal((closest as Json[])[0]?.url, `/tool-1.0/${url}`);
      const gone = await server.get(`/-/go/tool-1.0/${asked}`);
      assert.deepEqual([gone.status, gone.headers.get('location')], [302, `/tool-1.0/${url}`]);
    }
    const missing = await server.get('/tool-1.0/big.pdf/');
    assert.equal(missing.status, 404);
    assert.match(await missing.text(), /Did you mean.*href="\/tool-1\.0\/big\.pdf"/s);
  });

  it('have working links in the list of files, in search results, and in lists of pages', async () => {
    const listing = await textAt('/bare-1.0/');
    const [, link = ''] = /href="([^"]*\.html)"/.exec(listing) ?? [];
    assert.match(await textAt(new URL(link, `${server.url}/bare-1.0/`).pathname), /<title>Fur</);
    const { results } = await server.json('/api/search?q=whistle');
    assert.equal((results as Json[])[0]?.url, `/tool-latest/${ADDRESS}.html`);
    const pages = await textAt('/tool-1.0/llms.txt');
    const [, found = ''] = /\[Fur\]\(([^)]*\.html\.md)\)/.exec(pages) ?? [];
    assert.match(await textAt(new URL(found, `${server.url}/tool-1.0/`).pathname), /whistle/);
  });
});
