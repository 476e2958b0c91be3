import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ask } from '../support/ask-host.js';
import { basic } from '../support/credentials.js';
import { needsNginx, startNginx } from '../support/nginx.js';
import { ROOT } from '../support/root.js';
import { adapted, type WebServer } from '../support/web-server.js';
import { CADDY, startCaddy } from '../support/web-servers.js';
import { type PrivateLectern, publishAll, signInOn, startPrivateLectern } from './private-lectern.js';

const MAIN = 'docs.example.org';

/** The forms in which a token reads. */
const TOKEN_FORMS = [
  { 'X-Token': 'secret-reader' },
  { Authorization: 'Bearer secret-reader' },
  basic('sphinx', 'secret-reader'),
] as const;

/** People who have signed in, keyed by the cookie of their session. */
const PEOPLE: Readonly<Record<string, readonly [email: string, groups?: string]>> = {
  '_oauth2_proxy=ann': ['ann@example.org'],
  '_oauth2_proxy=bob': ['bob@example.org', 'docs'],
  '_oauth2_proxy=cy': ['cy@example.org', 'docs,payments'],
};

/**
 * Fake oauth2-proxy with --set-xauthrequest, after its documentation of the endpoints and of `auth_request`: `/oauth2/auth` is
 * 202 with the headers of the session, else 401, and `/oauth2/start` begins to sign in and comes back to `rd`.
 */
class OauthProxy {
  /** Headers of all requests, and whether they had a body. */
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] =
    [];

  private constructor(
    readonly host: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<OauthProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new OauthProxy(`127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    server.on('request', async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      proxy.asked.push({ path: pathname, headers: request.headers, body });
      const [email, groups] = PEOPLE[request.headers.cookie ?? ''] ?? [];
      if (pathname === '/oauth2/start') {
        response.writeHead(302, { Location: searchParams.get('rd') ?? '/' }).end();
      } else if (pathname !== '/oauth2/auth' || email === undefined) {
        response.writeHead(pathname === '/oauth2/auth' ? 401 : 404).end('Unauthorized\n');
      } else {
        response.setHeader('X-Auth-Request-Email', email);
        if (groups !== undefined) response.setHeader('X-Auth-Request-Groups', groups);
        response.writeHead(202).end();
      }
    });
    return proxy;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

interface Parts {
  readonly docs: string;
  readonly home: string;
  readonly lectern: string;
  readonly proxy: string;
}

const recipe = async (path: string, proxy: string) =>
  adapted(await readFile(join(ROOT, 'deploy', path), 'utf8'), { '127.0.0.1:4180': proxy });

async function nginx({ docs, home, lectern, proxy }: Parts): Promise<WebServer> {
  const file = join(home, 'sign-in.conf');
  await writeFile(file, await recipe('nginx/sign-in.conf', proxy));
  return startNginx(docs, lectern, {
    '# include /etc/nginx/lectern-sign-in.conf;': `include ${file};`,
    '# auth_request /-/signed-in;': 'auth_request /-/signed-in;',
  });
}

async function caddy({ home, lectern, proxy }: Parts): Promise<WebServer> {
  const file = join(home, 'sign-in.Caddyfile');
  await writeFile(file, await recipe('caddy/sign-in.Caddyfile', proxy));
  return startCaddy(lectern, { '\t# At the end': `\timport ${file}\n\t# At the end` });
}

for (const { name, needs, start, outlives } of [
  { name: 'nginx', needs: needsNginx, start: nginx, outlives: true },
  { name: 'Caddy', needs: CADDY.needs, start: caddy, outlives: false },
]) {
  describe(`A server behind ${name} with an imitation of oauth2-proxy`, needs, () => {
    let home: string;
    let proxy: OauthProxy;
    let lectern: PrivateLectern['server'];
    let front: WebServer;

    before(async () => {
      home = await mkdtemp(join(tmpdir(), 'lectern-oauth2-proxy-'));
      const started = await startPrivateLectern(home, 'nginx/sign-in.conf', {
        '--accel-redirect /-/files/': name === 'nginx' ? '--accel-redirect /-/files/' : '',
      });
      lectern = started.server;
      proxy = await OauthProxy.start();
      front = await start({ docs: started.docs, home, lectern: lectern.url, proxy: proxy.host });
      // Through the web server: what it asks of oauth2-proxy leaves bodies alone.
      await publishAll(front.url);
    });
    after(async () => {
      await front?.close();
      await lectern?.stop();
      await proxy?.close();
      await rm(home, { recursive: true, force: true });
    });

    const get = (project: string | undefined, headers: Readonly<Record<string, string>> = {}, path = '/') =>
      ask(front, project === undefined ? MAIN : `${project}.${MAIN}`, path, { headers });
    const statusOf = async (project: string, headers: Readonly<Record<string, string>> = {}) =>
      (await get(project, headers)).status;

    it('serves public projects without a session, and offers sign-in for missing and private ones alike', async () => {
      const open = await get('open');
      assert.deepEqual([open.status, open.body], [200, 'open pages']);
      assert.equal((await get(undefined)).status, 200);
      for (const project of ['absent', 'handbook']) {
        const { status, body } = await get(project);
        assert.equal(status, 404);
        const { pathname, search, host } = signInOn(body);
        assert.equal(host, MAIN);
        const begun = await get(undefined, {}, pathname + search);
        assert.equal(begun.status, 302);
        assert.match(begun.headers.location ?? '', new RegExp(`//${project}\\.docs\\.example\\.org/$`));
      }
    });

    it('lets people with a session read their projects', async () => {
      const ann = { Cookie: '_oauth2_proxy=ann' };
      const bob = { Cookie: '_oauth2_proxy=bob' };
      const cy = { Cookie: '_oauth2_proxy=cy' };
      const read = await get('handbook', bob);
      assert.deepEqual([read.status, read.body], [200, 'handbook pages']);
      assert.equal(read.headers['cache-control'], 'private, no-cache');
      assert.deepEqual(
        [await statusOf('payments', ann), await statusOf('payments', bob), await statusOf('payments', cy)],
        [200, 404, 200],
      );
      assert.equal(await statusOf('handbook', { Cookie: '_oauth2_proxy=mallory' }), 404);
    });

    it('ignores identity headers of clients', async () => {
      const claimed = { 'X-Auth-Request-Email': 'ann@example.org', 'X-Auth-Request-Groups': 'payments' };
      for (const headers of [
        claimed,
        { 'X-Auth-Request-Groups': 'payments' },
        { ...claimed, Cookie: '_oauth2_proxy=bob' },
        { 'x-auth-request-email': 'ann@example.org', Cookie: '_oauth2_proxy=mallory' },
      ]) {
        assert.equal(await statusOf('payments', headers), 404, JSON.stringify(headers));
      }
      // Bob's session names no group that may; the claimed one does not come beside it.
      assert.equal(await statusOf('handbook', { ...claimed, Cookie: '_oauth2_proxy=bob' }), 200);
    });

    it('passes requests with a token, and hides tokens and bodies from oauth2-proxy', async () => {
      proxy.asked.length = 0;
      for (const headers of TOKEN_FORMS) {
        const read = await get('handbook', headers);
        assert.deepEqual([read.status, read.body], [200, 'handbook pages'], JSON.stringify(headers));
        await get(undefined, headers, '/oauth2/start');
      }
      // A login's user name is nobody's name, and that of a proxy is none of a token.
      for (const headers of [basic('ann@example.org', 'hunter2'), basic('secret-reader', '')]) {
        assert.equal(await statusOf('payments', headers), 404, JSON.stringify(headers));
      }
      for (const headers of [{ 'X-Token': 'wrong' }, { Authorization: 'Bearer a.b.c' }]) {
        const refused = await ask(front, MAIN, '/api/projects', {
          headers: { ...headers } as Record<string, string>,
        });
        assert.equal(refused.status, 401);
        assert.match(refused.body, /authentication_required/);
      }
      assert.ok(
        proxy.asked.some(({ path }) => path === '/oauth2/start'),
        'nothing was asked at /oauth2/',
      );
      for (const { path, headers, body } of proxy.asked) {
        assert.deepEqual([headers['x-token'], headers.authorization, body], [undefined, undefined, ''], path);
      }
    });

    it('serves no page at the address of the authentication request', async () => {
      for (const path of ['/-/signed-in', '/-/signed-in/', '/-/signed%2Din']) {
        const { status, headers } = await get(undefined, { Cookie: '_oauth2_proxy=ann' }, path);
        assert.equal(status, 404, path);
        assert.equal(headers['x-auth-request-email'], undefined);
      }
    });

    it('signs nobody in while oauth2-proxy is down', async () => {
      await proxy.close();
      const bob = await statusOf('handbook', { Cookie: '_oauth2_proxy=bob' });
      assert.equal(bob, outlives ? 404 : 502);
      assert.equal(await statusOf('open'), outlives ? 200 : 502);
      for (const headers of TOKEN_FORMS) {
        assert.equal(await statusOf('handbook', headers), 200, JSON.stringify(headers));
      }
    });
  });
}
