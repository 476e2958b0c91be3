import assert from 'node:assert/strict';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { warningsIn } from '../../support/warnings-in.js';

const OWN_404 = '<!doctype html><html><head><link rel="stylesheet" href="_static/a.css"></head>Gone';
const MARK = '<meta name="lectern-status" content="404">';

for (const basePath of ['', '/docs']) {
  describe(`Pages that moved, ${basePath === '' ? 'at the root' : 'below a base path'},`, () => {
    let server: TestServer;
    before(async () => {
      server = await TestServer.start({ basePath, switcher: true });
      await server.upload('tool-1.0-docs.zip', {
        'index.html': 'one',
        'install.html': 'install',
        'start/index.html': 'start',
        'api.html': 'api',
        '404.html': OWN_404,
      });
      await server.upload('tool-2.0-docs.zip', {
        'index.html': 'two',
        'guide/install.html': 'moved install',
        'kept.html': 'kept',
        'app/index.html': 'app',
        'reference/config.html': 'config',
        _redirects: `/install.html /guide/install.html 301
/kept.html /guide/install.html
/api.html /reference/config.html#api
/app/* /app/index.html 200
/two /one
/one /install
/lost /nowhere
`,
      });
    });
    after(() => server.close());

    const answer = async (path: string) => {
      const response = await server.get(basePath + path);
      await response.arrayBuffer();
      const location = response.headers.get('location')?.slice(basePath.length);
      return location === undefined ? String(response.status) : `${response.status} ${location}`;
    };

    const ANSWERS: readonly (readonly [path: string, answer: string])[] = [
      // The version's own rules.
      ['/tool-2.0/install.html', '301 /tool-2.0/guide/install.html'],
      ['/tool-2.0/install.html?a=b', '301 /tool-2.0/guide/install.html?a=b'],
      ['/tool-2.0/install/', '301 /tool-2.0/guide/install.html'],
      ['/tool-latest/install', '301 /tool-latest/guide/install.html'],
      ['/tool-2.0/api.html?a=b', '302 /tool-2.0/reference/config.html?a=b#api'],
      // A page that is there wins.
      ['/tool-2.0/kept.html', '200'],
      // A rule may lead to another one, and one that leads nowhere does nothing.
      ['/tool-2.0/two', '302 /tool-2.0/guide/install.html'],
      ['/tool-2.0/lost', '404'],
      // The latest version's rules lead readers of older versions back.
      ['/tool-1.0/guide/install.html', '302 /tool-1.0/install.html'],
      ['/tool-1.0/guide/install/', '302 /tool-1.0/install.html'],
      ['/tool-1.0/reference/config.html', '302 /tool-1.0/api.html'],
      ['/tool-1.0/app/route', '404'],
      // The other spelling of a page.
      ['/tool-1.0/install/', '302 /tool-1.0/install.html'],
      ['/tool-1.0/start.html', '302 /tool-1.0/start/'],
      ['/tool-1.0/install/index.html', '302 /tool-1.0/install.html'],
      ['/tool-1.0/install', '200'],
      ['/tool-1.0/start', '308 /tool-1.0/start/'],
      // Redirects from one version to another.
      ['/-/go/tool-2.0/install.html', '302 /tool-2.0/guide/install.html'],
      ['/-/go/tool-latest/api.html?q', '302 /tool-latest/reference/config.html?q#api'],
      ['/-/go/tool-1.0/guide/install.html', '302 /tool-1.0/install.html'],
      ['/-/go/tool-2.0/app/route/deep', '302 /tool-2.0/app/route/deep'],
      ['/-/go/tool-1.0/reference/config', '302 /tool-1.0/api.html'],
      ['/-/go/tool-2.0/lost', '302 /tool-2.0/'],
    ];
    for (const [path, expected] of ANSWERS) {
      it(`get ${expected} at ${path}`, async () => {
        for (let round = 0; round < 2; round++) assert.equal(await answer(path), expected);
      });
    }

    it('are never cached as a permanent redirect', async () => {
      const response = await server.get(`${basePath}/tool-2.0/install.html`);
      assert.equal(response.headers.get('cache-control'), 'no-cache');
    });

    it('are served in place by a rule with 200', async () => {
      for (let round = 0; round < 3; round++) {
        const response = await server.get(`${basePath}/tool-2.0/app/some/route`);
        assert.equal(response.status, 200);
        assert.match(await response.text(), /^app/);
      }
    });

    it("get the site's own 404 page, with its base where links would break, and a mark for scripts", async () => {
      const page = async (path: string) => {
        const response = await server.get(basePath + path);
        assert.equal(response.status, 404);
        return (await response.text()).replace(/\n<script[\s\S]*$/, '');
      };
      const withHead = (markup: string) => OWN_404.replace('<head>', `<head>${markup}`);
      assert.equal(await page('/tool-1.0/nope'), withHead(MARK));
      for (const deep of ['nope/', 'a/b/nope.html']) {
        const base = `<base href="${basePath}/tool-1.0/">`;
        assert.equal(await page(`/tool-1.0/${deep}`), withHead(base + MARK));
      }
      const head = await server.fetch(`${basePath}/tool-1.0/a/nope`, { method: 'HEAD' });
      const get = await server.get(`${basePath}/tool-1.0/a/nope`, { 'Accept-Encoding': 'identity' });
      assert.equal(head.status, 404);
      assert.equal(Number(get.headers.get('content-length')), (await get.arrayBuffer()).byteLength);
    });

    it('are resolved for programs by `/-/go/`, which reports whether the page is the requested one', async () => {
      for (const [path, expected] of [
        ['/-/go/tool-2.0/install.html', { url: '/tool-2.0/guide/install.html', same: true }],
        ['/-/go/tool-1.0/guide/install.html', { url: '/tool-1.0/install.html', same: true }],
        ['/-/go/tool-1.0/kept.html?q=1', { url: '/tool-1.0/', same: false }],
      ] as const) {
        const response = await server.get(basePath + path, { Accept: 'application/json' });
        assert.equal(response.status, 200);
        assert.match(response.headers.get('vary') ?? '', /Accept/);
        assert.deepEqual(await response.json(), { ...expected, url: basePath + expected.url });
      }
      const unknown = await server.get(`${basePath}/-/go/tool-9.0/`, { Accept: 'application/json' });
      assert.equal(unknown.status, 404);
    });

    it('are suggested to the switcher at their new path', async () => {
      const { missing, closest, others } = await server.json(`${basePath}/-/suggest/tool-1.0/instal.html`);
      assert.equal(missing, 'instal.html');
      assert.deepEqual(closest, [
        { version: '1.0', path: 'install.html', url: `${basePath}/tool-1.0/install.html` },
      ]);
      assert.deepEqual(others, []);
      const kept = await server.json(`${basePath}/-/suggest/tool-1.0/kept.html`);
      assert.deepEqual(kept.others, [
        { version: '2.0', path: 'kept.html', url: `${basePath}/tool-latest/kept.html` },
      ]);
      assert.equal((await server.get(`${basePath}/-/suggest/tool-9.0/a`)).status, 404);
    });
  });
}

describe('An upload with _redirects', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  it('names faulty rules in a warning, and is published nevertheless', async () => {
    const response = await server.upload('lib-1.0-docs.zip', {
      'index.html': 'x',
      'b.html': 'b',
      _redirects: '/a /b\n/c https://example.org/\n/d /d\n/e /b 301!\n',
    });
    assert.equal(response.status, 201);
    const said = await warningsIn(response);
    assert.match(
      said,
      /In _redirects, line 2 leads to another host, 'https:\/\/example\.org\/', so it has no effect/,
    );
    assert.match(said, /line 3 redirects to itself/);
    assert.match(said, /line 4 works, but '!' is ignored/);
    for (const [path, status] of [
      ['a', 302],
      ['c', 404],
      ['d', 404],
      ['e', 301],
    ] as const) {
      assert.equal((await server.get(`/lib-1.0/${path}`)).status, status, path);
    }
  });

  it('is silent about a file without faults, or a missing file', async () => {
    for (const files of [{ 'index.html': 'x' }, { 'index.html': 'x', _redirects: '# none\n/a /b\n' }]) {
      const response = await server.upload('quiet-1.0-docs.zip', files);
      assert.equal(await warningsIn(response), '');
    }
  });

  it('ignores a file of more than 512 KiB', async () => {
    const rules = `/a /b\n${'# a comment\n'.repeat(50_000)}`;
    const response = await server.upload('large-1.0-docs.zip', {
      'index.html': '',
      'b.html': '',
      _redirects: rules,
    });
    assert.match(await warningsIn(response), /larger than 524288 bytes/);
    assert.equal((await server.get('/large-1.0/a')).status, 404);
  });

  it('applies at once when replaced', async () => {
    const files = { 'index.html': '', 'b.html': '', 'c.html': '' };
    await server.upload('moving-1.0-docs.zip', { ...files, _redirects: '/a /b' });
    assert.equal((await server.get('/moving-1.0/a')).headers.get('location'), '/moving-1.0/b.html');
    await server.upload('moving-1.0-docs.zip', { ...files, _redirects: '/a /c' });
    assert.equal((await server.get('/moving-1.0/a')).headers.get('location'), '/moving-1.0/c.html');
  });

  it('is optional: the current file of a copied-in directory applies', async () => {
    const site = join(server.docs, 'copied-1.0');
    const staged = join(server.docs, '.copied');
    await mkdir(staged);
    for (const name of ['index.html', 'b.html', 'c.html']) await writeFile(join(staged, name), name);
    await writeFile(join(staged, '_redirects'), '/a /b\n');
    await cp(staged, site, { recursive: true });
    await rm(staged, { recursive: true });
    await server.shows('/copied-1.0/b.html');
    const location = async () => (await server.get('/copied-1.0/a')).headers.get('location');
    await until(async () => (await location()) === '/copied-1.0/b.html');
    await writeFile(join(site, '_redirects'), '/a /c.html\n');
    assert.equal(await location(), '/copied-1.0/c.html');
  });
});

describe('Missing addresses of the server itself', () => {
  let server: TestServer;
  let readOnly: TestServer;
  let withoutForms: TestServer;
  before(async () => {
    server = await TestServer.start();
    readOnly = await TestServer.start({ withTokens: false });
    withoutForms = await TestServer.start({ uploadPage: false });
  });
  after(() => Promise.all([server, readOnly, withoutForms].map((each) => each.close())));

  const says = async (from: TestServer, path: string, sentence: RegExp) => {
    const response = await from.get(path);
    const text = await response.text();
    assert.equal(response.status, 404, path);
    assert.match(text, sentence, path);
    assert.doesNotMatch(text, /No such project/, path);
  };

  it('are reported as the server’s own', async () => {
    for (const path of ['/-/nope', '/-/', '/-', '/-/nope/deep']) {
      await says(server, path, /Addresses that begin with (?:'|&#39;)\/-\/(?:'|&#39;) are its own/);
    }
    await says(server, '/help/x', /The help is at \/help and \/-\/help\/publish/);
    await says(readOnly, '/-/upload', /Uploads are off: the server was started without --tokens/);
    await says(withoutForms, '/-/upload', /This page is off: the server was started with --no-upload-page/);
  });

  it("are a project's where it has such a name", async () => {
    await server.upload('help-1.0-docs.zip', { 'index.html': 'x' });
    assert.equal((await server.get('/help/')).headers.get('location'), '/help-latest/');
    assert.match(await (await server.get('/help-9.0/x')).text(), /No such version/);
  });
});
