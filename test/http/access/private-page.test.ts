import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { JsonTokenRegistry } from '../../../src/adapters/json/index.js';
import { AS, ChangingAccess, RULES, some, withPrivate } from '../../support/private-projects.js';
import { TestServer } from '../../support/server.js';

const PAGE = `<!doctype html><title>secret</title>${'<p>secret plans</p>'.repeat(200)}`;
const LARGE = 'x'.repeat(2 * 1024 * 1024);
const SITE = {
  'index.html': PAGE,
  'guide.html': PAGE,
  'large.bin': LARGE,
  _redirects: '/old /guide.html 301\n',
};

describe('A page of a private project', () => {
  const access = new ChangingAccess();
  let server: TestServer;

  before(async () => {
    server = await TestServer.start(withPrivate(access));
    await server.upload('vault-1.0-docs.zip', SITE);
    await server.upload('vault~pr-1-docs.zip', SITE);
    await server.upload('shown-1.0-docs.zip', SITE);
    const headers = { 'X-Token': 'secret-admin', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ target: '1.0' });
    await server.fetch('/api/aliases/vault/stable', { method: 'PUT', headers, body });
  });
  after(() => server.close());

  const ADDRESSES = [
    ['/vault-1.0/guide.html', 200],
    ['/vault-1.0/guide', 200],
    ['/vault-1.0/old', 301],
    ['/vault-1.0', 308],
    ['/vault-latest/guide.html', 200],
    ['/vault-stable/guide.html', 200],
    ['/vault~pr-1/guide.html', 200],
    ['/vault-1.0/guide.html.md', 200],
    ['/vault-1.0/llms.txt', 200],
    ['/vault-1.0/large.bin', 200],
    ['/vault-1.0/nothing.html', 404],
    ['/vault-1.0-docs.zip', 200],
    ['/vault~pr-1-docs.zip', 200],
    ['/api/download/vault/latest', 200],
  ] as const;

  for (const [path, status] of ADDRESSES) {
    it(`is ${status} at ${path} for authorised readers, and 404 for others`, async () => {
      for (const headers of [AS.ann, AS.insider, AS.reader, AS.bearer, AS.basic]) {
        const response = await server.get(path, headers);
        await response.arrayBuffer();
        assert.equal(response.status, status);
        assert.equal(response.headers.get('Cache-Control'), 'private, no-cache');
        assert.equal(response.headers.get('Cross-Origin-Resource-Policy'), 'same-origin');
      }
      for (const headers of [AS.nobody, AS.bob, AS.stranger, AS.login]) {
        const response = await server.get(path, headers);
        assert.doesNotMatch(await response.text(), /secret plans/);
        assert.equal(response.status, 404);
      }
    });
  }

  it('is sent as a range, compressed, as headers only and as 304, to authorised readers only', async () => {
    const path = '/vault-1.0/guide.html';
    const whole = await server.get(path, { ...AS.ann, 'Accept-Encoding': 'gzip' });
    assert.equal(whole.headers.get('Content-Encoding'), 'gzip');
    assert.equal(await whole.text(), PAGE);
    const etag = whole.headers.get('ETag') ?? '';
    const requests: readonly (readonly [Record<string, string>, number, string?])[] = [
      [{ Range: 'bytes=0-8' }, 206],
      [{ 'If-None-Match': etag, 'Accept-Encoding': 'gzip' }, 304],
      [{}, 200, 'HEAD'],
    ];
    for (const [more, status, method = 'GET'] of requests) {
      const sent = async (who: Readonly<Record<string, string>>) => {
        const response = await server.fetch(path, { method, headers: { ...who, ...more } });
        return {
          status: response.status,
          policy: response.headers.get('Cache-Control'),
          text: await response.text(),
        };
      };
      const allowed = await sent(AS.ann);
      assert.deepEqual([allowed.status, allowed.policy], [status, 'private, no-cache']);
      for (const who of [AS.nobody, AS.bob, AS.stranger, AS.login]) {
        const { status, text } = await sent(who);
        assert.equal(status, 404);
        assert.doesNotMatch(text, /secret|doctype html><title>secret/);
      }
    }
  });

  it('is never answered from memory ahead of Koa, unlike a public page', async () => {
    const hits = async (path: string, headers: Record<string, string>) => {
      const before = server.answeredFromMemory;
      for (const _ of [1, 2, 3]) await (await server.get(path, headers)).arrayBuffer();
      return server.answeredFromMemory - before;
    };
    assert.equal(await hits('/vault-1.0/guide.html', AS.ann), 0);
    for (const who of [AS.reader, AS.bearer, AS.basic])
      assert.equal(await hits('/vault-1.0/guide.html', who), 0);
    assert.equal(await hits('/shown-1.0/guide.html', AS.nobody), 2);
    for (const who of [AS.nobody, AS.ann, AS.reader, AS.basic]) {
      assert.equal(await hits('/shown-1.0/guide.html', who), 3);
    }
  });

  it('is closed at once by a rule, even when cached while public, and opened again by a rule', async () => {
    const path = '/shown-1.0/guide.html';
    assert.equal((await server.get(path)).status, 200);
    access.change({ default: 'public', projects: new Map([...RULES.projects, ['shown', some(['ann'])]]) });
    try {
      for (const who of [AS.nobody, AS.bob, AS.reader])
        assert.equal((await server.get(path, who)).status, 404);
      const own = await server.get(path, AS.ann);
      assert.deepEqual([own.status, own.headers.get('Cache-Control')], [200, 'private, no-cache']);
      assert.doesNotMatch(await (await server.get('/')).text(), /shown/);
    } finally {
      access.change(RULES);
    }
    const open = await server.get(path);
    assert.deepEqual([open.status, open.headers.get('Cache-Control')], [200, 'no-cache']);
  });

  it('is closed to a person removed from a rule, or from its group', async () => {
    const path = '/vault-1.0/guide.html';
    access.change({ default: 'public', projects: new Map([['vault', some(['bob'])]]) });
    try {
      for (const who of [AS.ann, AS.insider]) assert.equal((await server.get(path, who)).status, 404);
      assert.equal((await server.get(path, AS.bob)).status, 200);
      assert.equal((await server.get(path, AS.reader)).status, 200);
    } finally {
      access.change(RULES);
    }
    const left = await server.get(path, { ...AS.insider, 'X-Groups': 'staff' });
    assert.equal(left.status, 404);
  });
});

describe('An alias of a public project', () => {
  it('applies to readers who may not know of the private project at its address', async () => {
    const access = new ChangingAccess({
      default: 'public',
      projects: new Map([['lib-next', some(['ann'])]]),
    });
    const tokens = JsonTokenRegistry.parse(
      JSON.stringify({
        tokens: {
          admin: { token: 'secret-admin', allow_manage: true },
          team: { token: 'secret-team', projects: ['lib'], allow_manage: true },
        },
      }),
    );
    const server = await TestServer.start({ ...withPrivate(access), tokens });
    try {
      await server.upload('lib-1.0-docs.zip', { 'index.html': 'library' });
      await server.upload('lib-next-1.0-docs.zip', { 'index.html': 'private' });
      const set = async (token: string) => {
        const response = await server.fetch('/api/aliases/lib/next', {
          method: 'PUT',
          headers: { 'X-Token': `secret-${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ target: '1.0' }),
        });
        return { status: response.status, text: await response.text() };
      };
      assert.equal((await set('admin')).status, 409);
      const ofTeam = await set('team');
      assert.equal(ofTeam.status, 200, ofTeam.text);
      assert.doesNotMatch(ofTeam.text, /is shadowed/);
      const shown = async (headers: Record<string, string>) => {
        const response = await server.get('/api/projects/lib', headers);
        return (await response.json()) as { shadowed_aliases?: string[] };
      };
      assert.equal((await shown({})).shadowed_aliases, undefined);
      assert.deepEqual((await shown(AS.ann)).shadowed_aliases, ['next']);
      assert.equal(await (await server.get('/lib-next/')).text(), 'library');
      assert.notEqual(await (await server.get('/lib-next/', AS.ann)).text(), 'library');
    } finally {
      await server.close();
    }
  });
});
