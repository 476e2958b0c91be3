import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Json, TestServer } from '../support/server.js';
import type { WebServer } from '../support/web-server.js';
import { APACHE, CADDY } from '../support/web-servers.js';

const LONG = '<p>some words, </p>'.repeat(500);

for (const { name, needs, start } of [APACHE, CADDY]) {
  describe(`A server behind ${name}`, needs, () => {
    let lectern: TestServer;
    let front: WebServer;
    let server: TestServer;
    before(async () => {
      lectern = await TestServer.start({ trustProxy: true, limits: { maxUploadBytes: 3_000_000 } });
      // Others than the one who made it are to read it.
      await chmod(lectern.docs, 0o755);
      front = await start(lectern);
      server = lectern.reachedAt(front.url);
      await server.upload('tool-1.0-docs.zip', {
        'index.html': 'front',
        'long.html': LONG,
        'guide/index.html': 'guide',
        'a b%ü.html': 'odd',
        'plain.html': 'plain',
        'style.css': 'p{}',
        'd3.js/index.html': 'a directory',
        'beside.html': 'beside a directory',
        'beside/step.html': 'a step',
        'node.js.html': 'beside a directory',
        'node.js/events.html': 'events',
        'fu\u0308r.html': 'decomposed',
        '.hidden.html': 'secret',
      });
      await mkdir(join(lectern.docs, 'hand-1.0'));
      await writeFile(join(lectern.docs, 'hand-1.0/page.html'), 'by hand');
      await symlink('/etc/passwd', join(lectern.docs, 'hand-1.0/passwd.txt'));
      await writeFile(join(lectern.docs, 'notes.txt'), 'private');
      await lectern.shows('/hand-1.0/page.html');
    });
    after(async () => {
      await front.close();
      await lectern.close();
    });

    it("sends Lectern's pages, types and headers", async () => {
      for (const [path, body, type] of [
        ['/tool-1.0/', 'front', 'text/html; charset=utf-8'],
        ['/tool-1.0/long.html', LONG, 'text/html; charset=utf-8'],
        ['/tool-1.0/guide/', 'guide', 'text/html; charset=utf-8'],
        ['/tool-1.0/plain', 'plain', 'text/html; charset=utf-8'],
        ['/tool-1.0/a%20b%25%C3%BC.html', 'odd', 'text/html; charset=utf-8'],
        ['/tool-1.0/a%20b%25%C3%BC', 'odd', 'text/html; charset=utf-8'],
        ['/tool-1.0/style.css?v=1', 'p{}', 'text/css; charset=utf-8'],
        ['/tool-latest/', 'front', 'text/html; charset=utf-8'],
        ['/tool-latest/plain.html', 'plain', 'text/html; charset=utf-8'],
        ['/tool-1.0/d3.js/', 'a directory', 'text/html; charset=utf-8'],
        ['/tool-1.0/beside', 'beside a directory', 'text/html; charset=utf-8'],
        ['/tool-1.0/node.js', 'beside a directory', 'text/html; charset=utf-8'],
        ['/tool-1.0/fu%CC%88r.html', 'decomposed', 'text/html; charset=utf-8'],
        ['/hand-1.0/page.html', 'by hand', 'text/html; charset=utf-8'],
      ] as const) {
        const answer = await server.get(path);
        assert.deepEqual([answer.status, await answer.text()], [200, body], path);
        assert.equal(answer.headers.get('content-type'), type, path);
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
        assert.equal(answer.headers.get('cache-control'), 'no-cache', path);
      }
      const compressed = await server.get('/tool-1.0/long.html', { 'Accept-Encoding': 'gzip' });
      assert.equal(compressed.headers.get('content-encoding'), 'gzip');
      assert.match(compressed.headers.get('vary') ?? '', /Accept-Encoding/);
      assert.equal(await compressed.text(), LONG);
    });

    it('supports conditional requests and ranges', async () => {
      for (const path of ['/tool-1.0/long.html', '/tool-1.0-docs.zip', '/tool-latest-docs.zip']) {
        const whole = await server.get(path, { 'Accept-Encoding': 'identity' });
        const bytes = Buffer.from(await whole.arrayBuffer());
        const etag = whole.headers.get('etag') ?? '';
        const again = await server.get(path, { 'Accept-Encoding': 'identity', 'If-None-Match': etag });
        assert.equal(again.status, 304, path);
        const part = await server.get(path, { Range: 'bytes=5-14' });
        assert.equal(part.status, 206, path);
        assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(5, 15));
      }
    });

    it('leaves service workers to Lectern, which refuses them', async () => {
      for (const path of ['/tool-1.0/style.css', '/tool-1.0/']) {
        const answer = await server.get(path, { 'Service-Worker': 'script' });
        assert.match(await answer.text(), /unregister/, path);
      }
    });

    it("keeps the query in redirects, and shows Lectern's page for missing ones", async () => {
      for (const [path, status, location] of [
        ['/tool-1.0?a=b%20c', 308, '/tool-1.0/?a=b%20c'],
        ['/tool-1.0/guide', 308, '/tool-1.0/guide/'],
        ['/tool-1.0/d3.js?v=1', 308, '/tool-1.0/d3.js/?v=1'],
        ['/tool-1.0/node.js/', 302, '/tool-1.0/node.js.html'],
        ['/tool-1.0/f%C3%BCr.html?v=1', 302, '/tool-1.0/fu%CC%88r.html?v=1'],
        ['/tool', 302, '/tool-latest/'],
        ['/tool/plain.html?q=1', 302, '/tool-latest/plain.html?q=1'],
        ['/tool/objects.inv', 302, '/tool-latest/objects.inv'],
        ['/-/go/tool-latest/guide?q=1', 302, '/tool-latest/guide/?q=1'],
      ] as const) {
        const answer = await server.get(path);
        assert.deepEqual([answer.status, answer.headers.get('location')], [status, location], path);
      }
      const missing = await server.get('/tool-1.0/nothing.html');
      assert.equal(missing.status, 404);
      assert.match(await missing.text(), /No such page/);
    });

    it('exposes only versions', async () => {
      for (const path of [
        '/notes.txt',
        '/hand-1.0/passwd.txt',
        '/tool-1.0/.hidden.html',
        '/tool-1.0/%2ehidden.html',
        '/tool-1.0/guide%2findex.html',
        '/tool-1.0//plain.html',
        '/.lectern/running/',
        '/tool-1.0/../version.json',
        '/tool-1.0/%2e%2e/version.json',
      ]) {
        const { status, head } = await server.rawGet(path);
        // httpd refuses by itself what leads out of the root.
        assert.ok([400, 404].includes(status), `${path}: ${head}`);
      }
      assert.equal((await server.get('/-/metrics')).status, 403);
    });

    it('shows the acknowledged version as the latest', async () => {
      for (const label of ['1.0', '2.0']) {
        await server.upload(`moving-${label}-docs.zip`, { 'index.html': label });
        assert.equal(await (await server.get('/moving-latest/')).text(), label);
      }
      await server.delete('moving/2.0');
      assert.equal(await (await server.get('/moving-latest/')).text(), '1.0');
      await server.delete('moving/1.0');
      assert.equal((await server.get('/moving-latest/')).status, 404);
    });

    it('passes uploads, refusals, lists and deletions', async () => {
      assert.equal((await server.upload('new-1.0-docs.zip')).status, 201);
      assert.equal((await server.get('/new-1.0/')).status, 200);
      assert.equal((await server.upload('new-1.0-docs.zip', undefined, 'ci')).status, 409);
      const large = await server.upload('huge-1.0-docs.zip', Buffer.alloc(4_000_000));
      assert.deepEqual([large.status, ((await large.json()) as Json).error], [413, 'upload_too_large']);
      assert.equal((await server.json('/api/projects?search=NEW')).count, 1);
      assert.equal((await server.delete('new/1.0')).status, 200);
      assert.equal((await server.get('/new-1.0/')).status, 404);
    });

    it("shows the public address in the help, whatever the reader's headers say", async () => {
      const headers = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-For': '203.0.113.9' };
      const help = await (await server.get('/help', headers)).text();
      assert.match(help, new RegExp(front.url));
      assert.doesNotMatch(help, /evil\.example/);
      const lines = lectern.log as { path?: string; client?: string }[];
      assert.equal(lines.findLast(({ path }) => path === '/help')?.client, '127.0.0.1');
    });
  });
}
