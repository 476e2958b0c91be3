import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { needsNginx, startNginxOfThree } from '../support/nginx.js';
import { AS, withPrivate } from '../support/private-projects.js';
import { TestServer } from '../support/server.js';
import type { WebServer } from '../support/web-server.js';
import { WEB_SERVERS } from '../support/web-servers.js';

const ORIGIN = 'https://docs.example.org';
const SITE = { 'index.html': 'secret plans', 'objects.inv': 'inventory' };
/** As long as the token of somebody in 200 groups, and none of this server. */
const LONG = `${'a'.repeat(40)}.${'b'.repeat(10_000)}.${'c'.repeat(342)}`;

/** Reads what is private, by a token in each form, and afterwards without one. */
async function reads(front: TestServer): Promise<void> {
  for (const path of [
    '/vault-1.0/',
    '/vault-latest/objects.inv',
    '/vault-1.0-docs.zip',
    '/api/projects/vault',
  ]) {
    for (const who of ['basic', 'bearer', 'reader', 'ann by access token'] as const) {
      for (const _ of [1, 2]) {
        const own = await front.get(path, AS[who]);
        await own.arrayBuffer();
        assert.equal(own.status, 200, `${path} as ${who}`);
        assert.equal(own.headers.get('Cache-Control'), 'private, no-cache');
        assert.match(own.headers.get('Vary') ?? '', /Authorization/);
        for (const stranger of ['nobody', 'login'] as const) {
          const hidden = await front.get(path, AS[stranger]);
          assert.doesNotMatch(await hidden.text(), /secret plans|inventory/);
          assert.equal(hidden.status, 404, `${path} as ${stranger} after ${who}`);
        }
      }
    }
  }
  const open = await front.get('/shown-1.0/', AS.basic);
  assert.deepEqual([open.status, open.headers.get('Cache-Control')], [200, 'no-cache']);
}

async function takesLongTokens(front: TestServer): Promise<void> {
  const response = await front.get('/api/projects', { Authorization: `Bearer ${LONG}` });
  const { error, message } = (await response.json()) as { error: string; message: string };
  assert.deepEqual([response.status, error], [401, 'authentication_required']);
  assert.match(message, /not a job token/, 'Lectern has read it');
  assert.equal(response.headers.get('WWW-Authenticate'), 'Bearer');
}

/** Signs in as an agent does: challenge, metadata, access token. */
async function signsIn(front: TestServer): Promise<void> {
  const ask = (headers: Readonly<Record<string, string>>) =>
    front.fetch('/-/mcp/private', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_project","arguments":{}}}',
    });
  const asked = await ask({});
  assert.equal(asked.status, 401);
  const challenge = asked.headers.get('WWW-Authenticate') ?? '';
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  const described = await front.get(new URL(metadata).pathname);
  assert.equal(((await described.json()) as { resource: string }).resource, `${ORIGIN}/-/mcp/private`);
  assert.match(await (await ask(AS['ann by access token'])).text(), /vault/);
  assert.doesNotMatch(await (await ask(AS['bob by access token'])).text(), /vault/);
}

async function withVault(): Promise<TestServer> {
  const lectern = await TestServer.start({ ...withPrivate(), origin: ORIGIN, trustProxy: true });
  for (const project of ['vault', 'shown']) await lectern.upload(`${project}-1.0-docs.zip`, SITE);
  return lectern;
}

for (const { name, needs, start } of WEB_SERVERS) {
  describe(`A reading token behind ${name}`, needs, () => {
    let lectern: TestServer;
    let front: WebServer;
    before(async () => {
      lectern = await withVault();
      front = await start(lectern);
    });
    after(async () => {
      await front?.close();
      await lectern?.close();
    });

    it('opens a private project in each form, and for no other client', () =>
      reads(lectern.reachedAt(front.url)));

    it('may be as long as a token with 200 groups', () => takesLongTokens(lectern.reachedAt(front.url)));

    it("may come from an agent's sign-in", () => signsIn(lectern.reachedAt(front.url)));
  });
}

describe('A reading token behind a caching nginx that ignores Vary', needsNginx, () => {
  let lectern: TestServer;
  let nginx: WebServer & { readonly home: string };
  before(async () => {
    lectern = await withVault();
    nginx = await startNginxOfThree([lectern.url, lectern.url, lectern.url]);
  });
  after(async () => {
    await nginx?.close();
    await lectern?.close();
  });

  /** Keys of the copies that nginx has kept. */
  const copies = async () => {
    const names = await readdir(join(nginx.home, 'cache'), { recursive: true, withFileTypes: true });
    return names.filter((each) => each.isFile()).length;
  };

  it('opens a private project in each form, and leaves no copy for other clients', async () => {
    const front = lectern.reachedAt(nginx.url);
    for (const _ of [1, 2]) await (await front.get('/vault-1.0/', AS.basic)).arrayBuffer();
    assert.equal(await copies(), 0);
    await (await front.get('/shown-1.0/')).arrayBuffer();
    assert.equal(await copies(), 1, 'public pages are kept');
    await reads(front);
  });

  it('gets its own lists, and leaves other clients their lists, in both orders', async () => {
    const front = lectern.reachedAt(nginx.url);
    const text = async (path: string, who: keyof typeof AS) => (await front.get(path, AS[who])).text();
    for (const path of ['/', '/llms.txt', '/api/projects']) {
      for (const _ of [1, 2]) {
        assert.doesNotMatch(await text(path, 'nobody'), /vault-/, path);
        assert.match(await text(path, 'basic'), /vault-/, path);
        assert.doesNotMatch(await text(path, 'login'), /vault-/, path);
      }
    }
  });

  it('may be as long as a token with 200 groups, on both paths through nginx', async () => {
    const front = lectern.reachedAt(nginx.url);
    await takesLongTokens(front);
    const page = await front.get('/shown-1.0/', { Authorization: `Bearer ${LONG}` });
    await page.arrayBuffer();
    assert.equal(page.status, 401);
  });
});
