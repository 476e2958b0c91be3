import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Ask, ask } from '../../support/ask-host.js';
import { canonicalIn } from '../../support/canonical.js';
import { TestServer, type TestServerOptions } from '../../support/server.js';
import { until } from '../../support/until.js';

const HOST = 'docs.example.org';
const GUIDE = `<!doctype html><title>guide</title>${'<p>guide</p>'.repeat(200)}`;
const SITE = {
  'index.html': 'front',
  'guide.html': GUIDE,
  'start/index.html': 'start',
  'app/index.html': 'app',
  _redirects: '/old /guide.html 301\n/api/* /guide.html#:splat\n/app/* /app/index.html 200\n',
};

/** Asks, and says whether the answer came from memory. */
async function answerOf(server: TestServer, path: string, { host = HOST, ...options }: Asked = {}) {
  const before = server.answeredFromMemory;
  const { status, headers, body } = await ask(server, host, path, options);
  const { date: _, 'x-request-id': __, ...lasting } = headers;
  return { answer: { status, headers: lasting, body }, isFromMemory: server.answeredFromMemory > before };
}

interface Asked extends Ask {
  readonly host?: string;
}

for (const [what, options, base, host] of [
  ['at the root', {}, '', HOST],
  ['below a base path', { basePath: '/docs' }, '/docs', HOST],
  [
    'on the host of a project',
    { origin: `https://${HOST}`, hosts: { domain: HOST } },
    '',
    `1-0--tool.${HOST}`,
  ],
] as const satisfies readonly (readonly [string, TestServerOptions, string, string])[]) {
  describe(`A page or redirect that is requested again, ${what},`, () => {
    let server: TestServer;
    const site = host === HOST ? `${base}/tool-1.0` : '';
    const get = (path: string, asked: Ask = {}) => answerOf(server, site + path, { host, ...asked });
    before(async () => {
      server = await TestServer.start(options);
      await server.upload('tool-1.0-docs.zip', SITE);
    });
    after(() => server.close());

    for (const [path, status] of [
      ['/', 200],
      ['/guide.html', 200],
      ['/guide', 200],
      ['/g%75ide', 200],
      ['/app/some/route', 200],
      ['/start', 308],
      ['/start.html', 302],
      ['/guide/', 302],
      ['/old', 301],
      ['/api/name', 302],
    ] as const) {
      it(`is served from memory unchanged: ${path}`, async () => {
        const first = await get(path);
        assert.deepEqual([first.answer.status, first.isFromMemory], [status, false]);
        assert.deepEqual(await get(path), { ...first, isFromMemory: true });
        const { headers } = first.answer;
        assert.deepEqual(await get(path, { method: 'HEAD' }), {
          answer: { status, headers, body: '' },
          isFromMemory: true,
        });
      });
    }

    it('is a 304 from memory at a clean URL for an unchanged copy, and never for a redirect', async () => {
      const { headers } = (await get('/guide')).answer;
      const conditional = { headers: { 'If-None-Match': headers.etag ?? '' } };
      const { answer, isFromMemory } = await get('/guide', conditional);
      assert.deepEqual([answer.status, answer.body, isFromMemory], [304, '', true]);
      // Headers that the client has with the page are not sent again (RFC 9110 section 15.4.5).
      const { connection, 'keep-alive': _, ...lasting } = answer.headers;
      assert.deepEqual(Object.keys(lasting).sort(), [
        ...['cache-control', 'etag', ...(headers.link === undefined ? [] : ['link'])],
        ...['vary', 'x-content-type-options'],
      ]);
      const moved = await get('/start', { headers: { 'If-None-Match': '*' } });
      assert.deepEqual([moved.answer.status, moved.isFromMemory], [308, true]);
    });

    it('redirects with the query of each request', async () => {
      const plain = (await get('/start')).answer.headers.location ?? '';
      for (const query of ['?a=1', '?b=2', '?a=1']) {
        const { answer, isFromMemory } = await get(`/start${query}`);
        assert.deepEqual([answer.headers.location, isFromMemory], [plain + query, false]);
      }
      assert.equal((await get('/start')).answer.headers.location, plain);
    });

    it("is independent of a page's query", async () => {
      const { answer } = await get('/guide');
      assert.deepEqual(await get('/guide?theme=dark'), { answer, isFromMemory: true });
    });
  });
}

describe('Pages and redirects in memory', () => {
  it('belong to the address, where several names lead to one version', async (t) => {
    const server = await TestServer.start({ origin: `https://${HOST}`, hosts: { domain: HOST } });
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip', SITE);
    for (let round = 0; round < 3; round += 1) {
      for (const [host, path, location] of [
        [HOST, '/tool-1.0/start', '/tool-1.0/start/'],
        [HOST, '/tool-latest/start', '/tool-latest/start/'],
        [`tool.${HOST}`, '/start', `https://tool.${HOST}/start/`],
        [`1-0--tool.${HOST}`, '/start', `https://1-0--tool.${HOST}/start/`],
      ] as const) {
        const { answer, isFromMemory } = await answerOf(server, path, { host });
        assert.deepEqual([answer.headers.location, isFromMemory], [location, round > 0], host + path);
      }
    }
    const { answer } = await answerOf(server, '/tool-1.0/guide');
    for (const [host, path, isFromMemory] of [
      [HOST, '/tool-latest/guide', true],
      [`tool.${HOST}`, '/guide', false],
      [`1-0--tool.${HOST}`, '/guide', true],
    ] as const) {
      assert.deepEqual(await answerOf(server, path, { host }), { answer, isFromMemory });
    }
  });

  it('belong to the new version after a replacement, at every spelling', async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    const spellings = ['', 'index.html', '%69ndex.html', '?a', 'app/x', 'app/y', 'start', 'old'];
    for (const text of ['one', 'two']) {
      const pages = { 'index.html': text, 'app/index.html': text, [`start${text}/index.html`]: text };
      const _redirects = `/app/* /app/index.html 200\n/start /start${text}/\n/old /start${text}/ 301\n`;
      await server.upload('tool-1.0-docs.zip', { ...pages, _redirects });
      for (const path of [...spellings, ...spellings]) {
        const { answer } = await answerOf(server, `/tool-1.0/${path}`);
        assert.match(answer.body, new RegExp(text), path);
      }
    }
  });

  it('follow the rules of the latest version, and the settings of the project', async (t) => {
    const server = await TestServer.start({ origin: `https://${HOST}` });
    t.after(() => server.close());
    const hiding = (method: string) =>
      server.fetch('/api/hidden/tool/3.0', { method, headers: { 'X-Token': 'secret-deleter' } });
    const twice = async (path: string) => {
      const first = await answerOf(server, path);
      assert.ok(!first.isFromMemory, path);
      assert.deepEqual(await answerOf(server, path), { ...first, isFromMemory: true });
      const { location, link, 'x-robots-tag': robots } = first.answer.headers;
      return location ?? canonicalIn(link) ?? robots;
    };
    await server.upload('tool-1.0-docs.zip', { 'one.html': 'one', 'guide.html': GUIDE });
    assert.equal(await twice('/tool-1.0/one'), `<https://${HOST}/tool-latest/one.html>; rel="canonical"`);
    for (const [label, target] of [
      ['2.0', 'one'],
      ['3.0', 'guide'],
    ] as const) {
      await server.upload(`tool-${label}-docs.zip`, { 'x.html': 'x', _redirects: `/moved /${target}.html` });
      assert.equal(await twice('/tool-1.0/moved'), `/tool-1.0/${target}.html`);
      assert.equal(await twice('/tool-1.0/one'), 'noindex');
    }
    assert.equal(await twice('/tool-3.0/x'), `<https://${HOST}/tool-latest/x.html>; rel="canonical"`);
    assert.equal((await hiding('PUT')).status, 200);
    assert.equal(await twice('/tool-3.0/x'), 'noindex');
    assert.equal((await hiding('DELETE')).status, 200);
    const { answer } = await answerOf(server, '/tool-3.0/x');
    assert.equal(answer.headers['x-robots-tag'], undefined);
  });

  it('exclude copied-in directories, and paths where their redirects apply', async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip', SITE);
    const copied = join(server.docs, 'tool-2.0');
    await mkdir(copied);
    await writeFile(join(copied, 'new.html'), 'new');
    await writeFile(join(copied, '_redirects'), '/new /start/');
    await server.shows('/tool-2.0/new');
    const locationOf = async (path: string) => {
      const { answer, isFromMemory } = await answerOf(server, path);
      assert.ok(!isFromMemory, path);
      return answer.headers.location;
    };
    for (const path of ['/tool-1.0/new', '/tool-2.0/new/', '/tool-2.0/new.html']) {
      for (let round = 0; round < 2; round += 1) await locationOf(path);
    }
    assert.equal(await locationOf('/tool-1.0/new'), '/tool-1.0/start/');
    await writeFile(join(copied, '_redirects'), '/new /guide');
    await until(async () => (await locationOf('/tool-1.0/new')) === '/tool-1.0/guide.html');
  });

  it('are served at their own address only, whatever else a client sends', async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip', { ...SITE, '404.html': 'nothing here', 'a/guide.html': 'in a' });
    for (const path of ['http://x/tool-1.0/guide', '/tool-1.0\\a/guide#', '/tool-1.0/a/guide#/../guide']) {
      for (let round = 0; round < 2; round += 1) await server.rawGet(path);
    }
    assert.match((await server.rawGet('/tool-1.0/guide')).body, /<title>guide/);
    assert.equal((await server.rawGet('/tool-1.0//x/tool-1.0/guide')).status, 404);
    assert.equal((await server.rawGet('/tool-1.0/guide#')).body, GUIDE);
  });

  it('are sent to a client that sends a body too, which is never read as a request', async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip', SITE);
    const get = (headers = '', body = '') =>
      `GET /tool-1.0/ HTTP/1.1\r\nHost: ${HOST}\r\nAccept-Encoding: identity\r\n${headers}\r\n${body}`;
    const last = get('Connection: close\r\n');
    await server.raw(last);
    const body = get();
    const before = server.answeredFromMemory;
    for (const sent of [
      get(`Content-Length: ${body.length}\r\n`, body),
      get('Transfer-Encoding: chunked\r\n', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`),
    ]) {
      const answers = await server.raw(sent + last);
      assert.deepEqual(answers.match(/HTTP\/1\.1 200 OK|front/g), [
        ...['HTTP/1.1 200 OK', 'front'],
        ...['HTTP/1.1 200 OK', 'front'],
      ]);
    }
    assert.equal(server.answeredFromMemory - before, 4);
  });

  it('take no room for endless addresses of one page', async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip', SITE);
    const bytesAfter = async (path: (number: number) => string) => {
      for (let number = 0; number < 50; number += 1) await answerOf(server, path(number));
      return server.keptBytes;
    };
    const before = await bytesAfter((number) => `/tool-1.0/app/${number}`);
    assert.ok((await bytesAfter((number) => `/tool-1.0/app/${number + 50}`)) < before + 100);
  });
});
