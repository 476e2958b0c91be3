import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, ask } from '../support/ask-host.js';
import { everyRoute, HOSTS_DOMAIN, publishSample, type Route, requestTo } from '../support/every-route.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { MemoryUsageStore } from '../support/memory-usage-store.js';
import { needsNginx, startNginx } from '../support/nginx.js';
import { AS, ChangingAccess, RULES, some, withPrivate } from '../support/private-projects.js';
import { TestServer } from '../support/server.js';
import type { WebServer } from '../support/web-server.js';

type Who = keyof typeof AS;

const LARGE = 'secret plans '.repeat(200_000);
/** Headers that differ from answer to answer. */
const OF_ONE_ANSWER = ['x-request-id', 'date', 'content-length'];

describe('Private projects behind nginx', needsNginx, () => {
  const access = new ChangingAccess();
  let lectern: TestServer;
  let nginx: WebServer;

  before(async () => {
    lectern = await TestServer.start({
      ...withPrivate(access),
      trustProxy: true,
      accelRedirect: '/-/files/',
      // Nothing from memory, so that nginx is told to send all that it can be told to.
      cacheBytes: 0,
      origin: `https://${HOSTS_DOMAIN}`,
      hosts: { domain: HOSTS_DOMAIN },
      search: new MemorySearchIndex(),
      usage: new MemoryUsageStore(),
      client: true,
    });
    for (const project of ['shown', 'vault']) await publishSample(lectern, project);
    await lectern.upload('vault-3.0-docs.zip', {
      'index.html': 'x',
      'large.bin': LARGE,
      'guide.html': LARGE,
    });
    await lectern.isIndexed();
    nginx = await startNginx(lectern.docs, lectern.url);
  });
  after(async () => {
    await nginx.close();
    await lectern.close();
    assert.doesNotMatch(nginx.errors(), /\[(?:warn|error|crit|alert|emerg)\]/);
  });

  const routes = everyRoute().filter(({ method, path }) => method === 'GET' && path !== '/-/metrics');
  const asked = (path: string, who: Who, more = {}) =>
    ask(nginx, HOSTS_DOMAIN, path, { headers: { ...AS[who], ...more } });
  const answerOf = (route: Route, about: string, who: Who): Promise<Answer> => {
    const { host, path, headers } = requestTo(route, about, AS[who]);
    return ask(nginx, host ?? HOSTS_DOMAIN, path, { headers });
  };
  const saidBy = ({ status, headers, body }: Answer, about: string) => {
    const told = Object.entries(headers).filter(([name]) => !OF_ONE_ANSWER.includes(name));
    const text = JSON.stringify([status, Object.fromEntries(told), body]);
    return text.replaceAll(about, 'PROJECT').replaceAll(about.toUpperCase(), 'PROJECT');
  };

  for (const who of ['nobody', 'bob', 'stranger', 'login'] as const) {
    it(`look to ${who} like missing ones: status, headers and body, on every route`, async () => {
      for (const route of routes) {
        const [hidden, missing] = [await answerOf(route, 'vault', who), await answerOf(route, 'qqqqq', who)];
        assert.equal(saidBy(hidden, 'vault'), saidBy(missing, 'qqqqq'), route.name);
      }
    });
  }

  for (const who of ['ann', 'reader', 'bearer', 'basic'] as const) {
    it(`look to ${who} like public ones`, async () => {
      for (const route of routes) {
        const [own, open] = [await answerOf(route, 'vault', who), await answerOf(route, 'shown', who)];
        assert.equal(own.status, open.status, route.name);
      }
    });
  }

  it('have their large files sent by nginx to authorised readers, with the headers of private ones', async () => {
    for (const path of ['/vault-3.0/large.bin', '/vault-3.0-docs.zip']) {
      const named = await lectern.get(path, AS.ann);
      assert.ok(named.headers.get('X-Accel-Redirect') !== null, path);
      const sent = await asked(path, 'ann');
      assert.equal(sent.status, 200);
      assert.equal(sent.headers['x-accel-redirect'], undefined);
      assert.equal(sent.headers['cache-control'], 'private, no-cache');
      assert.equal(sent.headers['cross-origin-resource-policy'], 'same-origin');
      assert.match(String(sent.headers.vary), /X-Token, Authorization, x-user, x-groups/);
      assert.ok(sent.body.length > 1_000);
      const etag = String(sent.headers.etag);
      assert.equal((await asked(path, 'ann', { 'If-None-Match': etag })).status, 304);
      assert.equal((await asked(path, 'ann', { Range: 'bytes=0-5' })).status, 206);
      for (const who of ['nobody', 'bob', 'stranger'] as const) {
        for (const more of [{}, { 'If-None-Match': etag }, { Range: 'bytes=0-5' }]) {
          const { status, body } = await asked(path, who, more);
          assert.equal(status, 404);
          assert.doesNotMatch(body, /secret plans/);
        }
      }
      assert.notEqual((await asked(`/-/files${path}`, 'ann')).status, 200);
    }
  });

  it('are closed once a rule applies, also where nginx has sent their pages by itself', async () => {
    const path = '/shown-2.0/guide.html';
    const open = await asked(path, 'nobody');
    // Lectern has not been asked: its answers have an id.
    assert.deepEqual([open.status, open.headers['x-request-id']], [200, undefined]);
    const closed = {
      default: 'public',
      projects: new Map([...RULES.projects, ['shown', some(['ann'])]]),
    } as const;
    await access.changeOn(lectern, closed);
    assert.equal((await asked(path, 'nobody')).status, 404);
    const own = await asked(path, 'ann');
    assert.deepEqual([own.status, own.headers['cache-control']], [200, 'private, no-cache']);
    await access.changeOn(lectern, RULES);
    assert.equal((await asked(path, 'nobody')).headers['x-request-id'], undefined);
  });
});
