import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { contentType } from 'mime-types';
import { isCompressible } from '../../src/adapters/http/response/render.js';
import { type Differences, describeSites } from '../suites/sites.js';
import { canonicalIn } from '../support/canonical.js';
import { crawl } from '../support/crawl.js';
import { skipUnless } from '../support/needs.js';
import { needsNginx, startNginx, WITH_SWITCHER } from '../support/nginx.js';
import { ROOT } from '../support/root.js';
import { type Json, TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import type { WebServer } from '../support/web-server.js';
import { writeZip } from '../support/zip-writer.js';

const MALFORMED = { answer: 400, because: 'nginx decodes a path before it looks for who answers it' };

/** docs/nginx.md names them all. */
const DIFFERENCES: Differences = {
  '/my-project-1.0.0/..%2f..%2fversion.json': MALFORMED,
  '/my-project-1.0.0/%00': MALFORMED,
  '/my-project-1.0.0/%E0%A4%A': MALFORMED,
  'an earlier date and the ETag': { answer: 200, because: 'for nginx both have to agree' },
  'a range of an empty file': { answer: 200, because: 'nginx takes no range of nothing' },
  'bytes=5-1': { answer: 416, because: 'nginx takes it for a range outside of the file' },
  'the ETag of /my-project-1.0.0-docs.zip is the sha256': {
    answer: false,
    because: 'nginx makes its ETags of time and size',
  },
};

for (const [title, accel] of [
  ['Behind nginx, a site', undefined],
  ['Behind nginx that sends what Lectern names, a site', '/-/files/'],
] as const) {
  describeSites(
    title,
    async () => {
      const server = await TestServer.start({
        trustProxy: true,
        // Lectern keeps no page in memory, so nginx sends every file that it can send.
        ...(accel === undefined ? {} : { accelRedirect: accel, cacheBytes: 0 }),
      });
      const nginx = await startNginx(server.docs, server.url);
      const close = async () => {
        await nginx.close();
        await server.close();
        assert.doesNotMatch(nginx.errors(), /\[(?:warn|error|crit|alert|emerg)\]/);
      };
      return { server: server.reachedAt(nginx.url), close };
    },
    DIFFERENCES,
    needsNginx,
  );
}

describe('A server behind nginx', needsNginx, () => {
  let lectern: TestServer;
  let server: TestServer;
  let nginx: WebServer;
  before(async () => {
    lectern = await TestServer.start({
      trustProxy: true,
      accelRedirect: '/-/files/',
      limits: { maxUploadBytes: 3_000_000 },
    });
    nginx = await startNginx(lectern.docs, lectern.url);
    server = lectern.reachedAt(nginx.url);
    await server.upload('tool-1.0-docs.zip', {
      'index.html': 'front',
      'guide/index.html': 'guide',
      'style.css': 'p{}',
      'other.xyz': 'x',
      '.hidden.html': 'secret',
    });
    for (const directory of ['hand-1.0', 'not a version', 'node_modules']) {
      await mkdir(join(lectern.docs, directory));
      await writeFile(join(lectern.docs, directory, 'index.html'), 'by hand');
      await writeFile(join(lectern.docs, directory, 'page.html'), 'by hand');
    }
    await symlink('/etc/passwd', join(lectern.docs, 'hand-1.0/passwd.txt'));
    await writeFile(join(lectern.docs, 'notes.txt'), 'private');
    await writeFile(join(lectern.docs, 'hand-1.0-docs.zip'), 'no archive of anything');
    await lectern.shows('/hand-1.0/');
  });
  after(async () => {
    await nginx.close();
    await lectern.close();
  });

  it('keeps archives from crawlers, whether nginx sends them itself, for Lectern, or Lectern does', async () => {
    for (const path of [
      '/tool-1.0-docs.zip',
      '/tool-latest-docs.zip',
      '/api/download/tool/1.0',
      '/hand-1.0-docs.zip',
    ]) {
      for (const headers of [{}, { Range: 'bytes=0-1' }]) {
        const answer = await server.get(path, headers);
        assert.ok(answer.ok && (await answer.arrayBuffer()).byteLength > 1, path);
        assert.equal(answer.headers.get('x-robots-tag'), 'noindex', path);
      }
    }
  });

  /** Whether Lectern saw a request for something. */
  async function reachesLectern(path: string, headers: Record<string, string> = {}): Promise<boolean> {
    const marker = `?marker=${randomBytes(4).toString('hex')}`;
    const before = lectern.log.length;
    const answer = await server.get(path + marker, { Referer: marker, ...headers });
    await answer.arrayBuffer();
    // Lectern writes its line when the answer is out, so before or just after the client has it: this one comes later.
    const sentinel = `/api/${marker.slice(1)}`;
    await server.get(sentinel);
    const paths = () => lectern.log.slice(before).map((line) => (line as { path?: string }).path);
    await until(() => paths().includes(sentinel));
    return paths().length > 1;
  }

  it('exposes metrics only to clients that reach Lectern directly', async () => {
    for (const path of ['/-/metrics', '/-/metrics?x', '/%2d/metrics']) {
      assert.equal((await server.rawGet(path)).status, 403, path);
    }
    assert.equal((await server.get('/-/nothing')).status, 404);
  });

  it('sends files of uploaded versions without Lectern', async () => {
    for (const path of [
      '/tool-1.0/',
      '/tool-1.0/index.html',
      '/tool-1.0/guide/',
      '/tool-1.0/style.css',
      '/tool-1.0-docs.zip',
      '/tool-latest/',
      '/tool-latest/guide/',
      '/tool-latest/style.css',
    ]) {
      assert.equal(await reachesLectern(path), false, path);
      assert.equal(await reachesLectern(path, { 'Accept-Encoding': 'gzip, deflate, br, zstd' }), false, path);
    }
    assert.equal(await reachesLectern('/tool-1.0/style.css', { Range: 'bytes=0-1' }), false);
  });

  it('passes the script of a service worker to Lectern, which refuses it', async () => {
    const worker = { 'Service-Worker': 'script', 'Accept-Encoding': 'gzip' };
    assert.equal(await reachesLectern('/tool-1.0/style.css', worker), true);
    assert.match(await (await server.get('/tool-1.0/style.css', worker)).text(), /unregister/);
  });

  it('passes all other requests to Lectern', async () => {
    for (const path of [
      '/',
      '/help',
      '/api/projects',
      '/tool-1.0',
      '/tool-1.0/guide',
      '/tool-1.0/other.xyz',
      '/tool-1.0/nothing.html',
      '/tool-1.0/.hidden.html',
      '/tool-1.0/%2ehidden.html',
      '/tool-1.0//index.html',
      '/tool-1.0/guide%2findex.html',
      '/tool-latest-docs.zip',
      '/hand-1.0/',
      '/hand-1.0/page.html',
      '/hand-1.0-docs.zip',
      '/.lectern/sites/tool-1.0/',
      '/notes.txt',
    ]) {
      assert.equal(await reachesLectern(path), true, path);
    }
  });

  it('exposes only versions of the docs directory', async () => {
    for (const path of [
      '/notes.txt',
      '/node_modules/',
      '/node_modules/page.html',
      '/not%20a%20version/page.html',
      '/hand-1.0/passwd.txt',
      '/tool-1.0/.hidden.html',
      '/.lectern/running/',
      '/tool-1.0/../version.json',
      '/tool-1.0/%2e%2e/version.json',
      '/-/files/notes.txt',
      '/-/files/.lectern/sites/',
    ]) {
      assert.equal((await server.rawGet(path)).status, 404, path);
    }
    await until(async () => (await server.get('/hand-1.0/page.html')).ok);
    assert.equal(await (await server.get('/hand-1.0/page.html')).text(), 'by hand');
    assert.notEqual(await (await server.get('/hand-1.0-docs.zip')).text(), 'no archive of anything');
  });

  it('keeps the headers of a response, except the form of its ETag', async (t) => {
    const alone = await TestServer.start({ docs: lectern.docs });
    t.after(() => alone.close());
    const own = ['date', 'connection', 'keep-alive', 'x-request-id', 'server'];
    const headersOf = (answer: Response) =>
      Object.fromEntries(
        [...answer.headers]
          .filter(([name]) => !own.includes(name))
          // nginx does not know which version is the latest one.
          .map(([name, value]) => [
            name,
            name === 'link' ? value.replaceAll('/tool-latest/', '/tool-1.0/') : value,
          ]),
      );
    const ways = ['/tool-1.0/', '/tool-1.0/style.css', '/tool-1.0-docs.zip', '/tool-latest/'];
    for (const path of [...ways, '/tool-latest-docs.zip', '/help', '/tool-1.0', '/nothing/']) {
      const [plain, proxied] = await Promise.all([alone.get(path), server.get(path)]);
      const { etag, ...rest } = headersOf(plain);
      const { etag: other, ...others } = headersOf(proxied);
      assert.deepEqual(others, rest, path);
      assert.equal(other === etag, !ways.includes(path), path);
      assert.equal(proxied.headers.has('x-request-id'), !ways.includes(path), path);
      assert.equal((await proxied.arrayBuffer()).byteLength, (await plain.arrayBuffer()).byteLength, path);
    }
  });

  it("sends a large file of a type unknown to nginx by nginx, after Lectern's decision", async () => {
    const big = randomBytes(2_000_000);
    await server.upload(
      'big-1.0-docs.zip',
      writeZip([
        { name: 'ü n/big+x.bin', content: big, method: 0 },
        { name: 'index.html', content: Buffer.from('x') },
      ]),
    );
    const path = '/big-latest/%C3%BC%20n/big+x.bin';
    const named = await lectern.get(path);
    assert.match(named.headers.get('x-accel-redirect') ?? '', /\/site\/%C3%BC%20n\/big%2Bx\.bin$/);
    const sent = await server.get(path);
    assert.equal(sent.headers.get('x-accel-redirect'), null);
    assert.equal(sent.headers.get('content-type'), 'application/octet-stream');
    assert.deepEqual(Buffer.from(await sent.arrayBuffer()), big);
    const etag = sent.headers.get('etag') ?? '';
    assert.equal(etag, named.headers.get('etag'));
    assert.equal((await server.get(path, { 'If-None-Match': etag })).status, 304);
    const part = await server.get(path, { Range: 'bytes=5-9', 'If-Range': etag });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), big.subarray(5, 10));
    await server.delete('big/1.0');
  });

  it('streams an upload to Lectern, whose limit applies', async () => {
    const form = (size: number) =>
      Buffer.concat([
        Buffer.from(
          '--b\r\nContent-Disposition: form-data; name="file"; filename="huge-1.0-docs.zip"\r\n\r\n',
        ),
        Buffer.alloc(size),
        Buffer.from('\r\n--b--\r\n'),
      ]);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const post = (body: Buffer, more: Record<string, string>) =>
      fetch(`${server.url}/api/upload`, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: { ...headers, ...more },
      });
    const refused = await post(form(4_000_000), { 'X-Token': 'secret-admin' });
    assert.deepEqual([refused.status, ((await refused.json()) as Json).error], [413, 'upload_too_large']);
    const unknown = await post(form(2_000_000), { 'X-Token': 'nobody' });
    assert.deepEqual(
      [unknown.status, ((await unknown.json()) as Json).error],
      [401, 'authentication_required'],
    );
    assert.equal((await server.get('/huge-1.0/')).status, 404);

    // The answer comes before the body has: nothing waits for all of it.
    const slow = request(`${server.url}/api/upload`, {
      method: 'POST',
      headers: { ...headers, 'X-Token': 'secret-admin', 'Content-Length': '1000000' },
    });
    slow.on('error', () => {});
    slow.write('--b\r\nContent-Disposition: form-data; name="file"; filename="latest.zip"\r\n\r\n');
    slow.write(Buffer.alloc(100_000));
    const [answer] = await once(slow, 'response');
    assert.equal(answer.statusCode, 400);
    slow.destroy();
  });

  it('logs the address of the client', async () => {
    await server.get('/help', { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Host': 'evil.example' });
    const help = await server.get('/help', { 'X-Forwarded-Host': 'evil.example' });
    assert.match(await help.text(), new RegExp(server.url));
    const lines = lectern.log as { path?: string; client?: string }[];
    assert.equal(lines.findLast(({ path }) => path === '/help')?.client, '127.0.0.1');
  });
});

describe('The configuration of nginx', () => {
  it('maps only types known to Lectern, and sends files of all mapped types', async () => {
    const config = await readFile(join(ROOT, 'deploy/nginx/lectern.conf'), 'utf8');
    const types = /\n {4}types \{\n([\s\S]*?)\n {4}\}/.exec(config)?.[1] ?? '';
    const charsets = /charset_types ([^;]*);/.exec(config)?.[1]?.split(/\s+/) ?? [];
    const [, extensions = ''] = /\n {4}location ~ \S+\\\.\(\?:(\S*)\)\$ \{/.exec(config) ?? [];
    const isSent = new RegExp(`^(?:${extensions})$`);
    const entries = types.split('\n').flatMap((line) => {
      const [type = '', ...names] = line.replace(';', '').trim().split(/\s+/);
      return names.map((name): [string, string] => [name, type]);
    });
    assert.ok(entries.length > 30);
    for (const [name, type] of entries) {
      // `text/html` needs no mention there.
      const isText = type === 'text/html' || charsets.includes(type);
      assert.equal(isText ? `${type}; charset=utf-8` : type, contentType(`x.${name}`), name);
      const sent = isSent.exec(name);
      assert.ok(sent !== null, name);
      // Answers of types that Lectern compresses vary with `Accept-Encoding`.
      assert.equal(sent.groups?.lectern_text !== undefined, isCompressible(type), name);
    }
  });

  it('keeps idle connections to Lectern no longer than Lectern does', async () => {
    const config = await readFile(join(ROOT, 'deploy/nginx/lectern.conf'), 'utf8');
    const [, seconds] = /upstream lectern \{[^}]*keepalive_timeout (\d+)s;/.exec(config) ?? [];
    const { keepAliveTimeout } = createServer();
    assert.ok(Number(seconds) * 1_000 < keepAliveTimeout, `${seconds} s, ${keepAliveTimeout} ms`);
  });

  it('serves a base path with its commented line', needsNginx, async (t) => {
    const server = await TestServer.start({ basePath: '/docs', trustProxy: true });
    t.after(() => server.close());
    const page = `front <a href="guide/">guide</a>`;
    await server.upload('tool-1.0-docs.zip', {
      'index.html': page,
      'guide/index.html': 'guide',
      'a.css': 'p{}',
      'd3.js/index.html': 'a directory',
    });
    const nginx = await startNginx(server.docs, server.url, { '# rewrite ^/docs': 'rewrite ^/docs' });
    t.after(() => nginx.close());
    const seen = await crawl(
      `${nginx.url}/docs`,
      ['/', '/help', '/tool', '/tool-1.0/guide', '/-/projects/tool', '/api/projects', '/tool-1.0/a.css'],
      ['/nothing/', '/tool-1.0/nothing.html'],
    );
    assert.ok(seen.has(`${nginx.url}/docs/tool-1.0/guide/`));
    assert.ok(seen.has(`${nginx.url}/docs/tool-1.0-docs.zip`));
    const asked = server.log.map((line) => (line as { path?: string }).path);
    for (const path of ['/tool-1.0/', '/tool-1.0/guide/', '/tool-1.0/a.css', '/tool-1.0-docs.zip']) {
      assert.ok(!asked.includes(path), `${path} was asked of Lectern`);
    }
    assert.ok(asked.includes('/tool-1.0/guide'));
    assert.ok(!asked.includes('/tool-latest/'));
    const { headers } = await fetch(`${nginx.url}/docs/tool-1.0/d3.js?v=1`, { redirect: 'manual' });
    assert.equal(headers.get('location'), '/docs/tool-1.0/d3.js/?v=1');
  });

  it('leaves everything to Lectern without a directory for web servers', needsNginx, async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip', { 'index.html': 'front', 'a.css': 'p{}' });
    const empty = await mkdtemp(join(tmpdir(), 'lectern-nginx-docs-'));
    t.after(() => rm(empty, { recursive: true }));
    const nginx = await startNginx(empty, server.url);
    t.after(() => nginx.close());
    for (const [path, body] of [
      ['/tool-1.0/', 'front'],
      ['/tool-latest/a.css', 'p{}'],
    ] as const) {
      assert.equal(await (await fetch(nginx.url + path)).text(), body);
    }
    assert.equal((await fetch(`${nginx.url}/tool-1.0-docs.zip`)).status, 200);
    assert.doesNotMatch(nginx.errors(), /\[(?:warn|error|crit|alert|emerg)\]/);
  });

  const needsRoot = skipUnless(process.getuid?.() === 0, 'only root starts nginx as another user');
  it('leaves unreadable files to Lectern', { ...needsNginx, ...needsRoot }, async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    await chmod(server.docs, 0o755);
    await server.upload('tool-1.0-docs.zip', { 'index.html': 'front', 'a.css': 'p{}' });
    const site = join(server.docs, 'tool-1.0');
    for (const path of ['index.html', 'a.css', '../archive.zip']) await chmod(`${site}/${path}`, 0o600);
    const nginx = await startNginx(server.docs, server.url, {}, ['env']);
    t.after(() => nginx.close());
    for (const path of ['/tool-1.0/', '/tool-1.0/a.css', '/tool-latest/a.css', '/tool-1.0-docs.zip']) {
      assert.equal((await fetch(nginx.url + path)).status, 200, path);
    }
  });

  it('serves readers while Lectern is down', needsNginx, async (t) => {
    const server = await TestServer.start();
    const docs = server.docs;
    await server.upload('tool-1.0-docs.zip', { 'index.html': 'front' });
    const copy = await mkdtemp(join(tmpdir(), 'lectern-nginx-docs-'));
    await cp(docs, copy, { recursive: true, verbatimSymlinks: true });
    t.after(() => rm(copy, { recursive: true, force: true }));
    const nginx = await startNginx(copy, server.url);
    t.after(() => nginx.close());
    await server.close();
    assert.equal(await (await fetch(`${nginx.url}/tool-1.0/`)).text(), 'front');
    assert.equal((await fetch(`${nginx.url}/tool-1.0-docs.zip`)).status, 200);
    assert.equal(await (await fetch(`${nginx.url}/tool-latest/`)).text(), 'front');
    assert.equal((await fetch(`${nginx.url}/tool-latest-docs.zip`)).status, 502);
  });

  it(
    'leaves pages of other versions to Lectern, for search engines, with its commented line',
    needsNginx,
    async (t) => {
      const server = await TestServer.start({ origin: 'https://docs.example.org' });
      t.after(() => server.close());
      await server.upload('tool-1.0-docs.zip', { 'index.html': 'one', 'gone.html': 'gone', 'a.css': 'p{}' });
      await server.upload('tool-2.0-docs.zip', { 'index.html': 'two' });
      const nginx = await startNginx(server.docs, server.url, {
        '# "~^/[^/]+(?<!-latest)': '"~^/[^/]+(?<!-latest)',
      });
      t.after(() => nginx.close());
      const reached = server.reachedAt(nginx.url);
      const told = async (path: string) => {
        const answer = await reached.get(path);
        const byLectern = answer.headers.has('x-request-id');
        return [byLectern, canonicalIn(answer.headers.get('link')), answer.headers.get('x-robots-tag')];
      };
      const canonical = '<https://docs.example.org/tool-latest/>; rel="canonical"';
      assert.deepEqual(await told('/tool-1.0/'), [true, canonical, null]);
      assert.deepEqual(await told('/tool-1.0/gone.html'), [true, null, 'noindex']);
      assert.deepEqual(await told('/tool-1.0/a.css'), [false, null, null]);
      assert.deepEqual(await told('/tool-latest/'), [false, null, null]);
      assert.match(await (await reached.get('/robots.txt')).text(), /Sitemap: https:/);
      assert.equal((await reached.get('/sitemap.xml?project=tool')).status, 200);
    },
  );

  it('excludes search engines with its commented lines', needsNginx, async (t) => {
    const server = await TestServer.start({ indexing: false });
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip', { 'index.html': 'front', 'a.css': 'p{}' });
    const nginx = await startNginx(server.docs, server.url, {
      '# add_header X-Robots-Tag': 'add_header X-Robots-Tag',
    });
    t.after(() => nginx.close());
    const reached = server.reachedAt(nginx.url);
    for (const path of ['/tool-latest/', '/tool-1.0/a.css', '/tool-1.0-docs.zip', '/api/version', '/']) {
      assert.equal((await reached.get(path)).headers.get('x-robots-tag'), 'noindex', path);
    }
  });

  it('adds the switcher to every page with its commented option', needsNginx, async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip', { 'index.html': 'front', 'style.css': 'p{}' });
    const nginx = await startNginx(server.docs, server.url, WITH_SWITCHER);
    t.after(() => nginx.close());
    const reached = server.reachedAt(nginx.url);
    const tag = '\n<script type="module" src="/-/switcher.js"></script>\n';
    for (const path of ['/tool-1.0/', '/tool-1.0/index.html', '/tool-latest/']) {
      assert.equal(await (await reached.get(path)).text(), `front${tag}`, path);
    }
    assert.equal(await (await reached.get('/tool-1.0/style.css')).text(), 'p{}');
    assert.equal((await reached.get('/-/switcher-tag')).status, 404);
  });
});
