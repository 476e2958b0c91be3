import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { libraries } from '../../../src/adapters/web/index.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { TestServer } from '../../support/server.js';

const HOSTILE = '<script>alert(1)</script>\'"><img src=x onerror=alert(1)>';

/** Every page of the server's own, and the status with which it comes. */
const PAGES: Readonly<Record<string, number>> = {
  '/': 200,
  '/?search=a': 200,
  [`/?search=${encodeURIComponent(HOSTILE)}`]: 200,
  '/help': 200,
  '/-/upload': 200,
  '/-/manage/tool': 200,
  '/-/manage/-none-': 404,
  '/-/api': 200,
  '/-/search': 200,
  [`/-/search?q=${encodeURIComponent(HOSTILE)}`]: 200,
  '/-/search?q=x&project=hostile&version=1.0': 200,
  '/-/search?q=x&project=hostile&version=9.9': 404,
  '/-/search?q=x&project=nothing': 404,
  '/-/search?q=x&limit=x': 400,
  '/-/projects/hostile': 200,
  '/-/projects/nothing': 404,
  '/listing-1.0/': 200,
  '/nothing/': 404,
  '/hostile-9.9/': 404,
  '/listing-1.0/missing.html': 404,
  [`/${encodeURIComponent(HOSTILE)}`]: 404,
  '/-/nothing': 404,
  '/-/assets/nothing.css': 404,
  '/%zz': 404,
};

function directives(response: Response): ReadonlyMap<string, string> {
  const policy = response.headers.get('content-security-policy') ?? '';
  return new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(' ');
      return [name, values.join(' ')];
    }),
  );
}

describe("A page of the server's own", () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ search: new MemorySearchIndex() });
    const docinfo = JSON.stringify({ name: HOSTILE, description: HOSTILE });
    await server.upload('hostile-1.0-docs.zip', { 'index.html': 'x', 'docinfo.json': docinfo });
    await server.upload('listing-1.0-docs.zip', { [`${HOSTILE.replaceAll('/', '')}.txt`]: 'x' });
  });
  after(() => server.close());

  for (const [path, status] of Object.entries(PAGES)) {
    it(`lets nothing run but its own scripts: ${path}`, async () => {
      const response = await server.get(path, { Accept: 'text/html' });
      const html = await response.text();
      assert.equal(response.status, status);
      assert.match(html, /^<!doctype html>/);
      const policy = directives(response);
      assert.equal(policy.get('default-src'), "'none'");
      assert.equal(policy.get('base-uri'), "'none'");
      assert.equal(policy.get('frame-ancestors'), "'none'");
      assert.equal(policy.get('form-action'), "'self'");
      assert.equal(policy.get('style-src'), "'self'");
      assert.equal(policy.get('img-src'), "'self'");
      assert.doesNotMatch([...policy.values()].join(' '), /unsafe|\*|https?:|data:|blob:/);
      assert.equal(response.headers.get('cross-origin-opener-policy'), 'same-origin');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');

      const scripts = [...html.matchAll(/<script\b([^>]*)>/g)].map(([, rest = '']) => rest);
      assert.equal(policy.get('script-src'), "'self'");
      assert.equal(policy.get('connect-src'), "'self'");
      const [, allowed = ''] =
        /http-equiv="Content-Security-Policy" content="script-src ([^"]+)"/.exec(html) ?? [];
      const hashes: string[] = [];
      for (const script of scripts) {
        const [, source = '', hash = ''] = /^ src="([^"]+)" integrity="([^"]+)"/.exec(script) ?? [];
        const bytes = new Uint8Array(await (await server.get(source)).arrayBuffer());
        assert.equal(hash, `sha256-${createHash('sha256').update(bytes).digest('base64')}`, script);
        hashes.push(`'${hash}'`);
      }
      // What a page allows beyond the scripts that it names would be something that came out of a name.
      assert.equal(allowed.replaceAll('&#39;', "'"), hashes.join(' ') || "'none'");
      assert.ok(!html.includes('<img src=x'));
      assert.doesNotMatch(html.replace(/="[^"]*"/g, ''), /<[^>]*\s(?:on\w+|style)\b[^>]*>/);
    });
  }

  it('for uploads is absent, and in no navigation, when there are no tokens', async () => {
    const readOnly = await TestServer.start({ withTokens: false });
    try {
      assert.equal((await readOnly.get('/-/upload')).status, 404);
      for (const path of ['/', '/help', '/-/api']) {
        assert.ok(!(await (await readOnly.get(path)).text()).includes('href="/-/upload"'), path);
        assert.ok((await (await server.get(path)).text()).includes('href="/-/upload"'), path);
      }
    } finally {
      await readOnly.close();
    }
  });
});

describe('Without the pages that take a token', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ uploadPage: false, basePath: '/docs' });
    await server.upload('tool-1.0-docs.zip');
  });
  after(() => server.close());

  it('they are missing, and so are the libraries that they load', async () => {
    const files = libraries.map(({ path }) => path);
    for (const path of ['/-/upload', '/-/manage/tool', ...files]) {
      const answer = await server.get(path, { Accept: 'text/html' });
      assert.equal(answer.status, 404, path);
      const html = await answer.text();
      assert.match(html, /^<!doctype html>/, path);
      assert.doesNotMatch(html, /<script|id="token"/, path);
      assert.match(html, /http-equiv="Content-Security-Policy" content="script-src (?:'|&#39;)none/, path);
    }
  });

  it('nothing leads to them', async () => {
    const paths = [
      '/',
      '/?search=none',
      '/help',
      '/api/help',
      '/-/api',
      '/-/projects/tool',
      '/none/',
      '/tool-9/',
    ];
    for (const path of paths)
      assert.doesNotMatch(await (await server.get(path)).text(), /-\/(?:upload|manage)\b/, path);
  });

  it('the API reference is there, and the navigation leads to it', async () => {
    assert.equal((await server.get('/-/api')).status, 200);
    assert.match(await (await server.get('/')).text(), /href="\/docs\/-\/api"/);
  });

  it('programs upload, and read the description, as ever', async () => {
    assert.equal((await server.get('/api/spec')).status, 200);
    assert.equal((await server.upload('tool-2.0-docs.zip')).status, 201);
  });
});

describe('A library that a page loads', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const [script = '', licence = ''] = libraries.map(({ path }) => path);

  it('is served below an address that bears its version, and kept by browsers for good', async () => {
    const response = await server.get(script, { 'Accept-Encoding': 'gzip' });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /javascript; charset=utf-8$/);
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.match(response.headers.get('cache-control') ?? '', /immutable/);
    assert.equal(response.headers.get('last-modified'), null);
    assert.match(script, /\/jszip-\d+\.\d+\.\d+\/dist\/jszip\.min\.js$/);
  });

  it('lets no other file of its package out', async () => {
    const path = script.slice(0, script.indexOf('dist/'));
    const others = ['index.html', 'lib/index.js', '', '../package.json', '%2e%2e/yaml/package.json'];
    for (const file of others) assert.equal((await server.rawGet(path + file)).status, 404, file);
  });

  it('comes with its licence', async () => {
    assert.match(await (await server.get(licence)).text(), /MIT License/);
  });
});
