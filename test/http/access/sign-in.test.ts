import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask } from '../../support/ask-host.js';
import { everyRoute, HOSTS_DOMAIN, publishSample, requestTo } from '../../support/every-route.js';
import { AS, ChangingAccess, withPrivate } from '../../support/private-projects.js';
import { TestServer, type TestServerOptions } from '../../support/server.js';

const MCP = '/-/mcp/private';
const METADATA = `/.well-known/oauth-protected-resource${MCP}`;
const ORIGIN = `https://${HOSTS_DOMAIN}`;
const CHALLENGE = `Bearer resource_metadata="${ORIGIN}${METADATA}", scope="docs:read"`;

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find_project', arguments: {} } };
const call = (headers: Record<string, string> = {}, body = JSON.stringify(LIST)): RequestInit => ({
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headers,
  },
  body,
});

const withSignIn = (more: TestServerOptions = {}): TestServerOptions => ({
  ...withPrivate(),
  origin: ORIGIN,
  ...more,
});

describe('Sign-in by the protocol', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start(withSignIn());
    for (const project of ['shown', 'vault']) await publishSample(server, project);
  });
  after(() => server.close());

  it('is requested of anonymous clients, whatever the method and the body', async () => {
    for (const method of ['POST', 'GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS']) {
      for (const body of method === 'POST' || method === 'PUT'
        ? ['', '[]', JSON.stringify(LIST)]
        : [undefined]) {
        const answer = await server.fetch(MCP, { method, ...(body === undefined ? {} : { body }) });
        assert.equal(answer.status, 401, method);
        assert.equal(answer.headers.get('www-authenticate'), CHALLENGE);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
      }
    }
  });

  it('is requested with an error for a wrong credential', async () => {
    for (const headers of [
      { Authorization: 'Bearer wrong' },
      { Authorization: 'Bearer of.nobody.x' },
      { 'X-Token': 'wrong' },
    ]) {
      const answer = await server.fetch(MCP, call(headers));
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.get('www-authenticate'), `${CHALLENGE}, error="invalid_token"`);
      assert.equal(
        ((await answer.json()) as { error: { data: { error: string } } }).error.data.error,
        'authentication_required',
      );
    }
  });

  it('refuses pages of other origins before any credential is checked', async () => {
    for (const headers of [{}, AS['ann by access token'], { Authorization: 'Bearer wrong' }]) {
      const answer = await server.fetch(MCP, call({ Origin: 'https://evil.example', ...headers }));
      assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [403, null]);
    }
  });

  it('is described for any credential', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer wrong' },
      AS.reader,
      { Authorization: 'Bearer of.eve.x' },
    ]) {
      const answer = await server.get(METADATA, headers);
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      assert.deepEqual(await answer.json(), {
        resource: ORIGIN + MCP,
        authorization_servers: ['https://login.example.org'],
        bearer_methods_supported: ['header'],
        scopes_supported: ['docs:read'],
      });
    }
  });

  it('describes no other resource', async () => {
    for (const path of ['', '/', '/-/mcp', '/-/mcp/private/', '/shown-2.0']) {
      assert.equal((await server.get(METADATA.replace(MCP, path))).status, 404, path);
    }
  });

  it('shows each reader their readable projects', async () => {
    const seen = {
      'ann by access token': true,
      'insider by access token': true,
      ann: true,
      reader: true,
      bearer: true,
      'bob by access token': false,
      bob: false,
      stranger: false,
    } as const;
    for (const [who, isShown] of Object.entries(seen)) {
      const answer = await server.fetch(MCP, call(AS[who as keyof typeof seen]));
      assert.equal(answer.status, 200, who);
      assert.equal(/vault/.test(await answer.text()), isShown, who);
    }
  });

  it('answers known readers like `/-/mcp`', async () => {
    const answer = await server.get(MCP, AS['ann by access token']);
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST']);
  });

  it('sends its challenge with no other 401', async () => {
    for (const route of everyRoute().filter(({ path }) => path !== MCP)) {
      const { host, path, headers, body } = requestTo(route, 'shown', { Authorization: 'Bearer wrong' });
      if (host !== undefined) continue;
      const answer = await server.fetch(path, {
        method: route.method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      assert.doesNotMatch(answer.headers.get('www-authenticate') ?? '', /resource_metadata/, route.name);
    }
    for (const headers of [{}, { Authorization: 'Bearer wrong' }]) {
      const answer = await server.fetch('/-/mcp', call(headers));
      assert.doesNotMatch(answer.headers.get('www-authenticate') ?? '', /resource_metadata/);
    }
  });

  it('refuses an unaccepted person in JSON, on every route and for every project alike', async () => {
    const eve = { Authorization: 'Bearer of.eve.x' };
    for (const route of everyRoute()) {
      if (/^\/-\/(?:health|ready|metrics)$/.test(route.path)) continue;
      for (const about of ['vault', 'qqqqq']) {
        const { host, path, headers, body } = requestTo(route, about, eve);
        if (host !== undefined) continue;
        const answer = await server.fetch(path, {
          method: route.method,
          headers,
          redirect: 'manual',
          ...(body === undefined ? {} : { body }),
        });
        assert.equal(answer.status, 403, `${route.name} of ${about}`);
        assert.equal(answer.headers.get('www-authenticate'), null);
        assert.equal(((await answer.json()) as { error: string }).error, 'person_not_accepted');
      }
    }
    const answer = await server.fetch(MCP, call(eve));
    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /person_not_accepted/);
  });

  it('lets nobody change anything', async () => {
    const before = await (await server.get('/api/projects', AS.reader)).text();
    for (const route of everyRoute().filter(({ method }) => method !== 'GET')) {
      const { host, path, headers, body } = requestTo(route, 'vault', AS['ann by access token']);
      if (host !== undefined) continue;
      const answer = await server.fetch(path, {
        method: route.method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      assert.equal(answer.status, 401, route.name);
    }
    assert.equal(await (await server.get('/api/projects', AS.reader)).text(), before);
  });
});

describe('Sign-in by the protocol below a path or on hosts', () => {
  it('is described at the root of the host, for a server below a base path', async () => {
    const server = await TestServer.start(withSignIn({ basePath: '/docs' }));
    try {
      const { headers } = await server.fetch(`/docs${MCP}`, call());
      const metadata = `/.well-known/oauth-protected-resource/docs${MCP}`;
      assert.equal(headers.get('www-authenticate'), CHALLENGE.replace(METADATA, metadata));
      const described = (await (await server.get(metadata)).json()) as { resource: string };
      assert.equal(described.resource, `${ORIGIN}/docs${MCP}`);
    } finally {
      await server.close();
    }
  });

  for (const isRedirecting of [false, true]) {
    it(`is at the main host only, with${isRedirecting ? '' : 'out'} redirects to hosts`, async () => {
      const server = await TestServer.start(withSignIn({ hosts: { domain: HOSTS_DOMAIN, isRedirecting } }));
      try {
        const names = [
          'oauth-protected-resource',
          'oauth-authorization-server/x',
          'openid-configuration',
          'acme-challenge/x',
        ];
        const files = names.map((name) => [`.well-known/${name}`, 'of the site'] as const);
        await server.upload('shown-1.0-docs.zip', {
          'index.html': 'front',
          '.well-known/security.txt': 'of the site',
          ...Object.fromEntries(files),
        });
        const host = `shown.${HOSTS_DOMAIN}`;
        assert.equal((await ask(server, host, '/.well-known/security.txt')).status, 200);
        for (const name of [...names, `oauth-protected-resource${MCP}`]) {
          for (const path of [
            `/.well-known/${name}`,
            `/%2ewell-known/${name}`,
            `/.well%2Dknown/${name}?x`,
            `/.well%2Dknown/${name}?%`,
          ]) {
            const answer = await ask(server, host, path);
            assert.equal(answer.status, 404, path);
            assert.doesNotMatch(answer.body, /of the site/);
          }
        }
        for (const headers of [{}, AS['ann by access token'], { Authorization: 'Bearer wrong' }]) {
          const answer = await ask(server, host, MCP, { method: 'POST', headers });
          assert.deepEqual([answer.status, answer.headers['www-authenticate']], [404, undefined]);
        }
      } finally {
        await server.close();
      }
    });
  }

  it('is absent without issuers of people, and where tokens could be intercepted', async () => {
    const without = Object.assign(new ChangingAccess(), { peopleIssuers: [] });
    for (const options of [
      withSignIn({ access: without }),
      withSignIn({ origin: 'http://docs.example.org' }),
      withSignIn({ mcp: false }),
    ]) {
      const server = await TestServer.start(options);
      try {
        assert.equal((await server.get(METADATA)).status, 404);
        const answer = await server.fetch(MCP, call());
        assert.equal(answer.headers.get('www-authenticate'), null);
        assert.ok([404, 405].includes(answer.status));
        const wrong = { Authorization: 'Bearer wrong' };
        assert.equal((await server.get(METADATA, wrong)).status, 401);
        assert.equal((await server.fetch(MCP, call(wrong))).status, 401);
      } finally {
        await server.close();
      }
    }
  });

  it('is offered on the page of a project as soon as there is an issuer of people', async () => {
    const access = new ChangingAccess();
    const issuers = access.peopleIssuers.splice(0);
    const server = await TestServer.start(withSignIn({ access }));
    try {
      await server.upload('shown-1.0-docs.zip');
      const page = async () => (await server.get('/-/projects/shown')).text();
      assert.doesNotMatch(await page(), /\/-\/mcp\/private/);
      access.peopleIssuers.push(...issuers);
      assert.match(await page(), /\/-\/mcp\/private/);
    } finally {
      await server.close();
    }
  });
});
