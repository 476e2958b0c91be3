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
  '/-/help/publish': 200,
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

describe('An own page of the server', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ search: new MemorySearchIndex() });
    const docinfo = JSON.stringify({ name: HOSTILE, description: HOSTILE });
    await server.upload('hostile-1.0-docs.zip', { 'index.html': 'x', 'docinfo.json': docinfo });
    await server.upload('listing-1.0-docs.zip', { [`${HOSTILE.replaceAll('/', '')}.txt`]: 'x' });
  });
  after(() => server.close());

  for (const [path, status] of Object.entries(PAGES)) {
    it(`runs no scripts but its own: ${path}`, async () => {
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
      // A script that the page allows and does not load would come from markup in a name.
      assert.equal(allowed.replaceAll('&#39;', "'"), hashes.join(' ') || "'none'");
      assert.ok(!html.includes('<img src=x'));
      assert.doesNotMatch(html.replace(/="[^"]*"/g, ''), /<[^>]*\s(?:on\w+|style)\b[^>]*>/);
    });
  }

  it('is absent for uploads, and in no navigation, on a server without tokens', async () => {
    const readOnly = await TestServer.start({ withTokens: false });
    try {
      assert.equal((await readOnly.get('/-/upload')).status, 404);
      for (const path of ['/', '/help', '/-/help/publish', '/-/api']) {
        assert.ok(!(await (await readOnly.get(path)).text()).includes('href="/-/upload"'), path);
        assert.ok((await (await server.get(path)).text()).includes('href="/-/upload"'), path);
      }
    } finally {
      await readOnly.close();
    }
  });
});

describe('The upload page', () => {
  it('shows the five listed versions that were published last, the last one first', async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    const shown = async () => {
      const html = await (await server.get('/-/upload')).text();
      return [...html.matchAll(/<a class="quiet-link strong" href="([^"]*)"/g)].map(([, to]) => to);
    };
    assert.deepEqual(await shown(), []);
    assert.doesNotMatch(await (await server.get('/-/upload')).text(), /Recently published/);
    for (const name of ['a-1.0', 'b-1.0', 'c-1.0', 'c-1.1', 'd-1.0', 'd-1.1', 'a~pr-1'])
      assert.equal((await server.upload(`${name}-docs.zip`)).status, 201);
    assert.deepEqual(await shown(), ['/d-1.1/', '/d-1.0/', '/c-1.1/', '/c-1.0/', '/b-1.0/']);
    const headers = { 'X-Token': 'secret-deleter' };
    assert.ok((await server.fetch('/api/hidden/d/1.1', { method: 'PUT', headers })).ok);
    assert.deepEqual(await shown(), ['/d-1.0/', '/c-1.1/', '/c-1.0/', '/b-1.0/', '/a-1.0/']);
  });
});

describe('A server without the pages that take a token', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ uploadPage: false, basePath: '/docs' });
    await server.upload('tool-1.0-docs.zip');
  });
  after(() => server.close());

  it('responds 404 for the pages with token fields and for their libraries', async () => {
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

  it('links to no page with a token field', async () => {
    const paths = [
      '/',
      '/?search=none',
      '/help',
      '/-/help/publish',
      '/api/help',
      '/-/api',
      '/-/projects/tool',
      '/none/',
      '/tool-9/',
    ];
    for (const path of paths)
      assert.doesNotMatch(await (await server.get(path)).text(), /-\/(?:upload|manage)\b/, path);
  });

  it('keeps the API reference, linked in the navigation', async () => {
    assert.equal((await server.get('/-/api')).status, 200);
    assert.match(await (await server.get('/')).text(), /href="\/docs\/-\/api"/);
  });

  it('accepts uploads of programs, and serves the OpenAPI document', async () => {
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

  it('is served at a versioned address, and cached by browsers forever', async () => {
    const response = await server.get(script, { 'Accept-Encoding': 'gzip' });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /javascript; charset=utf-8$/);
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.match(response.headers.get('cache-control') ?? '', /immutable/);
    assert.equal(response.headers.get('last-modified'), null);
    assert.match(script, /\/jszip-\d+\.\d+\.\d+\/dist\/jszip\.min\.js$/);
  });

  it('exposes no other file of its package', async () => {
    const path = script.slice(0, script.indexOf('dist/'));
    const others = ['index.html', 'lib/index.js', '', '../package.json', '%2e%2e/yaml/package.json'];
    for (const file of others) assert.equal((await server.rawGet(path + file)).status, 404, file);
  });

  it('comes with its licence', async () => {
    assert.match(await (await server.get(licence)).text(), /MIT License/);
  });
});
