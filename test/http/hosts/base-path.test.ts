import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { crawl } from '../../support/crawl.js';
import { type Prefixing, PrefixProxy } from '../../support/proxy.js';
import { type Json, TestServer } from '../../support/server.js';

const STARTS = [
  '/',
  '/?search=tool&sort=newest',
  '/?search=nothing',
  '/help',
  '/-/help/publish',
  '/robots.txt',
  '/-/upload',
  '/-/api',
  '/-/projects/tool',
  '/-/go/tool-1.0/guide/new.html',
  '/-/go/tool-latest/guide/?q=1',
  '/-/projects/tool/versions.json',
  '/-/projects/tool/versions.json?format=pydata',
  '/-/projects/tool/versions.json?format=readthedocs',
  '/-/switcher/tool-1.0.json',
  '/api/projects',
  '/api/spec',
  '/api/help',
  '/tool',
  '/tool-1.0',
  '/tool-1.0/guide?q=1',
  '/files-1.0/',
] as const;
const MISSING = [
  '/nothing/',
  '/tol/',
  '/tool-3.0/guide/',
  '/tool-1.0/guide/nothing.html',
  '/-/projects/nothing',
  '/-/nothing',
  '/docs/',
] as const;

const BASE = '/docs';

for (const prefixing of ['strips the prefix', 'passes the prefix on'] satisfies Prefixing[]) {
  describe(`A server below a base path, behind a proxy that ${prefixing},`, () => {
    let server: TestServer;
    let proxy: PrefixProxy;
    before(async () => {
      server = await TestServer.start({ basePath: BASE, switcher: true });
      proxy = await PrefixProxy.start(server.url, BASE, prefixing);
      const site = { 'index.html': 'front', 'guide/index.html': 'guide', 'logo.svg': '<svg/>' };
      const docinfo = { 'docinfo.json': '{"name": "Tool", "logo": "logo.svg"}' };
      for (const label of ['1.0', '2.0'])
        await server.upload(`tool-${label}-docs.zip`, { ...site, ...docinfo });
      await server.upload('files-1.0-docs.zip', { 'a/b.txt': 'x', 'c.txt': 'x' });
    });
    after(async () => {
      await proxy.close();
      await server.close();
    });

    const at = (path: string, headers: Record<string, string> = {}) =>
      fetch(proxy.url + path, { redirect: 'manual', headers });

    it('keeps every link, redirect and address below the base path', async () => {
      // Behind a proxy that strips it, `/docs/` is the index: nothing tells it from the short address of a project.
      const missing = MISSING.filter((path) => path !== '/docs/' || prefixing === 'passes the prefix on');
      const crawled = await crawl(proxy.url, STARTS, missing);
      for (const path of [
        '/-/switcher.js',
        '/-/assets/lectern.css',
        '/-/assets/upload.js',
        '/-/badge/tool.svg',
        '/tool-2.0/logo.svg',
        '/tool-1.0-docs.zip',
        '/tool-latest-docs.zip',
        '/files-1.0/a/b.txt',
        '/-/go/tool-1.0/',
      ]) {
        assert.ok(crawled.has(proxy.url + path), path);
      }
      assert.ok(crawled.size > 50);
    });

    it("serves a page from memory with the switcher's tag below the base path", async () => {
      const tag = `<script type="module" src="${BASE}/-/switcher.js"></script>`;
      const before = server.answeredFromMemory;
      for (const _ of [1, 2]) assert.equal(await (await at('/tool-1.0/')).text(), `front\n${tag}\n`);
      assert.ok(server.answeredFromMemory > before);
    });

    it("returns the site's working address for an upload", async () => {
      const form = new FormData();
      const zip = Buffer.from(await (await at('/tool-1.0-docs.zip')).arrayBuffer());
      form.set('file', new Blob([zip]), 'uploaded-1.0-docs.zip');
      const answer = await fetch(`${proxy.url}/api/upload`, {
        method: 'POST',
        headers: { 'X-Token': 'secret-admin' },
        body: form,
      });
      const body: Json = await answer.json();
      assert.equal(answer.headers.get('location'), `${BASE}/uploaded-1.0/`);
      assert.equal(body.url, `${BASE}/uploaded-1.0/`);
      assert.match(body.message, /^Published .* at \/docs\/uploaded-1\.0\/ /);
      assert.equal((await fetch(new URL(body.url, proxy.url))).status, 200);
      const gone = await fetch(`${proxy.url}/api/delete/uploaded/1.0`, {
        method: 'DELETE',
        headers: { 'X-Token': 'secret-admin' },
      });
      assert.equal(gone.status, 200);
    });

    it("lists the versions at an address relative to a site's page", async () => {
      const answer = await at('/versions.json', { Referer: `${proxy.url}/tool-1.0/guide/` });
      assert.equal(answer.headers.get('location'), `${BASE}/-/projects/tool/versions.json`);
    });

    it('names its base path in the OpenAPI document', async () => {
      const spec = (await (await at('/api/spec')).json()) as Json;
      assert.deepEqual(spec.servers, [{ url: BASE }]);
    });

    it("shows examples with the reader's address, base path included", async () => {
      for (const path of ['/help', '/api/help', '/-/upload']) {
        const text = await (await at(path)).text();
        const { origin } = new URL(proxy.url);
        const addresses = text.match(new RegExp(`${origin}[^\\s"&<)\`]*`, 'g')) ?? [];
        assert.ok(addresses.length > 0, path);
        for (const address of addresses) assert.ok(`${address}/`.startsWith(`${proxy.url}/`), address);
      }
    });
  });
}

describe('A base path', () => {
  it('may be omitted by a client that connects to the server directly', async (t) => {
    const server = await TestServer.start({ basePath: BASE });
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip', { 'index.html': 'front' });
    for (const path of ['/tool-1.0/', '/docs/tool-1.0/']) {
      assert.equal(await (await server.get(path)).text(), 'front', path);
    }
    assert.equal((await server.get('/docs/docs/tool-1.0/')).status, 404);
    assert.equal((await server.get('/docsy/tool-1.0/')).status, 404);
    assert.equal((await server.get('/%64ocs/tool-1.0/')).status, 404);
    for (const path of ['/docs', '/docs/', '/docs?search=tool']) {
      assert.match(await (await server.get(path)).text(), /href="\/docs\/-\/projects\/tool"/, path);
    }
    const redirect = await server.rawGet('/docs//evil.org/');
    assert.equal(redirect.status, 404);
    assert.doesNotMatch(redirect.head, /^Location:/im);
  });

  it('may be several levels deep', async (t) => {
    const server = await TestServer.start({ basePath: '/team/docs-1.0' });
    t.after(() => server.close());
    const proxy = await PrefixProxy.start(server.url, '/team/docs-1.0', 'passes the prefix on');
    t.after(() => proxy.close());
    await server.upload('team-1.0-docs.zip', { 'index.html': 'front' });
    await crawl(proxy.url, ['/', '/team', '/-/projects/team'], ['/nothing/']);
  });

  it('is absent from all links when not configured', async (t) => {
    const server = await TestServer.start({ switcher: true });
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip', { 'index.html': 'front', 'guide/index.html': 'guide' });
    await crawl(
      server.url,
      STARTS.filter((path) => !path.includes('files')),
      MISSING,
    );
    assert.deepEqual((await server.json('/api/spec')).servers, [{ url: '/' }]);
  });
});

describe('A public address', () => {
  it('overrides the host of requests, even with a trusted proxy', async (t) => {
    for (const trustProxy of [false, true]) {
      const server = await TestServer.start({
        origin: 'https://docs.example.org',
        basePath: BASE,
        trustProxy,
      });
      t.after(() => server.close());
      await server.upload('tool-1.0-docs.zip', { 'index.html': 'front' });
      const headers = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' };
      for (const path of ['/help', '/api/help', '/-/projects/tool', '/-/upload']) {
        const text = await (await server.get(path, headers)).text();
        assert.match(text, /https:\/\/docs\.example\.org\/docs\//, path);
        assert.doesNotMatch(text, /evil\.example|127\.0\.0\.1|localhost/, path);
      }
      assert.deepEqual((await server.json('/api/spec')).servers, [{ url: 'https://docs.example.org/docs' }]);
      // Paths stay paths, so that readers stay at the address that they have.
      const [tool] = (await server.json('/api/projects')).projects;
      assert.equal(tool.versions[0].url, '/docs/tool-1.0/');
      assert.equal((await server.get('/tool', headers)).headers.get('location'), '/docs/tool-latest/');
    }
  });
});
