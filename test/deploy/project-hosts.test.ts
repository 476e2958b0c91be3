import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { ask } from '../support/ask-host.js';
import { needsNginx, startNginx } from '../support/nginx.js';
import { TestServer } from '../support/server.js';
import type { TlsWebServer, WebServer } from '../support/web-server.js';
import { APACHE, NGINX } from '../support/web-servers.js';

const DOMAIN = 'docs.example.org';
const ORIGIN = `https://${DOMAIN}`;
const large = 'x'.repeat(2_000_000);

async function publish(server: TestServer): Promise<void> {
  await chmod(server.docs, 0o755);
  for (const label of ['1.0', '2.0']) {
    await server.upload(`tool-${label}-docs.zip`, {
      'index.html': `<link rel="stylesheet" href="/a.css">${label}`,
      'a.css': 'p{}',
      'tool-1.0/index.html': 'a directory of the site',
      'large.json': large,
    });
  }
}

for (const { name, needs, start } of [NGINX, APACHE]) {
  describe(`A server behind ${name} with --project-hosts`, needs, () => {
    let lectern: TestServer;
    let front: TlsWebServer;
    before(async () => {
      lectern = await TestServer.start({
        trustProxy: true,
        origin: ORIGIN,
        hosts: { domain: DOMAIN },
        ...(name === 'nginx' ? { accelRedirect: '/-/files/' } : {}),
      });
      await publish(lectern);
      front = await start(lectern);
    });
    after(async () => {
      await front.close();
      await lectern.close();
    });

    it("serves each host's site, whatever file of the docs directory has that path", async () => {
      for (const [host, path, body] of [
        [`tool.${DOMAIN}`, '/', /2\.0$/],
        [`1-0--tool.${DOMAIN}`, '/', /1\.0$/],
        [`1-0--tool.${DOMAIN}`, '/index.html', /1\.0$/],
        [`TOOL.${DOMAIN}:443`, '/a.css', /^p\{\}$/],
        [`tool.${DOMAIN}`, '/tool-1.0/', /^a directory of the site$/],
      ] as const) {
        const answer = await ask(front, host, path);
        assert.equal(answer.status, 200, host + path);
        assert.match(answer.body, body, host + path);
      }
      // The pages of this version ask for their style at the root, so it is read on its own host.
      const { status, headers } = await ask(front, DOMAIN, '/tool-1.0/');
      assert.deepEqual([status, headers.location], [302, `https://1-0--tool.${DOMAIN}/`]);
    });

    it('supports conditional requests, ranges and large files on a host', async () => {
      const host = `tool.${DOMAIN}`;
      const { headers } = await ask(front, host, '/a.css');
      const etag = headers.etag ?? '';
      assert.equal((await ask(front, host, '/a.css', { headers: { 'If-None-Match': etag } })).status, 304);
      const part = await ask(front, host, '/a.css', { headers: { Range: 'bytes=1-2' } });
      assert.deepEqual([part.status, part.body], [206, '{}']);
      assert.equal((await ask(front, host, '/large.json')).body, large);
    });

    it('responds 404 on a host without a site, and serves no archive as a page of a site', async () => {
      const nothing = await ask(front, `nothing.${DOMAIN}`, '/tool-1.0/');
      assert.equal(nothing.status, 404);
      assert.match(nothing.body, /Nothing is published at this host/);
      assert.equal((await ask(front, `tool.${DOMAIN}`, '/tool-1.0-docs.zip')).status, 404);
    });

    it('closes metrics on every host', async () => {
      assert.equal((await ask(front, `tool.${DOMAIN}`, '/-/metrics')).status, 403);
    });

    it('redirects plain HTTP to the same host with TLS, and foreign hosts to the main one', async () => {
      const plain = { url: `http://127.0.0.1:${front.plainPort}` };
      for (const [host, location] of [
        [`1-0--tool.${DOMAIN}`, `https://1-0--tool.${DOMAIN}/a?b`],
        [DOMAIN, `${ORIGIN}/a?b`],
        ['evil.example', `${ORIGIN}/a?b`],
        [`evil.example#.${DOMAIN}`, undefined],
      ] as const) {
        const { status, headers } = await ask(plain, host, '/a?b');
        if (location === undefined) assert.ok(status === 400 || headers.location === `${ORIGIN}/a?b`, host);
        else assert.deepEqual([status, headers.location], [308, location], host);
      }
    });
  });
}

describe('A server behind nginx with --project-hosts-redirect', needsNginx, () => {
  let lectern: TestServer;
  let front: WebServer;
  before(async () => {
    lectern = await TestServer.start({
      trustProxy: true,
      origin: ORIGIN,
      hosts: { domain: DOMAIN, isRedirecting: true },
    });
    await publish(lectern);
    front = await startNginx(lectern.docs, lectern.url, { '"";      # yes with': 'yes; #' });
  });
  after(async () => {
    await front.close();
    await lectern.close();
  });

  it('redirects path addresses to the hosts', async () => {
    for (const [path, location] of [
      ['/tool-1.0/', `https://1-0--tool.${DOMAIN}/`],
      ['/tool-latest/a.css?v=1', `https://tool.${DOMAIN}/a.css?v=1`],
    ] as const) {
      const { status, headers } = await ask(front, DOMAIN, path);
      assert.deepEqual([status, headers.location], [302, location]);
    }
    assert.equal((await ask(front, DOMAIN, '/tool-1.0-docs.zip')).status, 200);
    assert.match((await ask(front, `tool.${DOMAIN}`, '/')).body, /2\.0$/);
  });
});
