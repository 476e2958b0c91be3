import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type Answer, ask } from '../../support/ask-host.js';
import { everyRoute, HOSTS_DOMAIN, publishSample, type Route, requestTo } from '../../support/every-route.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { MemoryUsageStore } from '../../support/memory-usage-store.js';
import { AS, withPrivate } from '../../support/private-projects.js';
import { TestServer } from '../../support/server.js';

type Who = keyof typeof AS;

const WITHOUT_RIGHT: readonly Who[] = ['nobody', 'bob', 'stranger', 'login', 'bob by access token'];
const WITH_RIGHT: readonly Who[] = [
  'ann',
  'insider',
  'reader',
  'owner',
  'bearer',
  'basic',
  'ann by access token',
  'insider by access token',
];
/** The same people, by the proxy and by an access token. */
const BOTH_WAYS: readonly (readonly [Who, Who])[] = [
  ['ann', 'ann by access token'],
  ['bob', 'bob by access token'],
  ['insider', 'insider by access token'],
];
/** Headers that differ from answer to answer. */
const OF_ONE_ANSWER = ['x-request-id', 'date', 'keep-alive', 'content-length'];

for (const isRedirecting of [false, true]) {
  describe(`A private project, with${isRedirecting ? '' : 'out'} redirects to hosts`, () => {
    let server: TestServer;

    before(async () => {
      server = await TestServer.start({
        ...withPrivate(),
        origin: `https://${HOSTS_DOMAIN}`,
        hosts: { domain: HOSTS_DOMAIN, isRedirecting },
        search: new MemorySearchIndex(),
        usage: new MemoryUsageStore(),
        client: true,
        metrics: { contentType: 'text/plain', observe: () => {}, text: async () => 'a 1\n' },
      });
      for (const project of ['shown', 'vault']) await publishSample(server, project);
      await server.upload('shown~private-1-docs.zip');
      await server.isIndexed();
    });
    after(() => server.close());

    const routes = everyRoute().filter(({ method }) => method === 'GET');
    const answerOf = (route: Route, about: string, who: Who, more = {}): Promise<Answer> => {
      const { host, path, headers } = requestTo(route, about, { ...AS[who], ...more });
      return ask(server, host ?? HOSTS_DOMAIN, path, { method: route.method, headers });
    };
    /** Returns status, headers and body of an answer, without the name that was asked for. */
    const saidBy = ({ status, headers, body }: Answer, about: string) => {
      const told = Object.entries(headers as OutgoingHttpHeaders).filter(
        ([name]) => !OF_ONE_ANSWER.includes(name),
      );
      const text = JSON.stringify([status, Object.fromEntries(told), body]);
      return text.replaceAll(about, 'PROJECT').replaceAll(about.toUpperCase(), 'PROJECT');
    };

    for (const who of WITHOUT_RIGHT) {
      it(`looks to ${who} like a missing one: status, headers and body`, async () => {
        for (const route of routes) {
          const [hidden, missing] = [
            await answerOf(route, 'vault', who),
            await answerOf(route, 'qqqqq', who),
          ];
          assert.equal(saidBy(hidden, 'vault'), saidBy(missing, 'qqqqq'), route.name);
        }
      });

      it(`is named to ${who} by no response about anything else`, async () => {
        for (const route of routes) {
          const answer = await answerOf(route, 'shown', who);
          assert.doesNotMatch(JSON.stringify([answer.headers, answer.body]), /vault/i, route.name);
        }
      });
    }

    for (const who of WITH_RIGHT) {
      it(`looks to ${who} like a public one, and is kept by no shared cache`, async () => {
        for (const route of routes) {
          const [own, open] = [await answerOf(route, 'vault', who), await answerOf(route, 'shown', who)];
          assert.equal(own.status, open.status, route.name);
          const policy = String(own.headers['cache-control']);
          if (route.path.startsWith('/-/health') || /^\/-\/(?:ready|metrics)$/.test(route.path)) continue;
          const isOfFile = /max-age/.test(policy);
          assert.ok(
            isOfFile || ['private, no-cache', 'no-store'].includes(policy),
            `${route.name}: ${policy}`,
          );
          if (isOfFile) continue;
          assert.equal(own.headers['cross-origin-resource-policy'], 'same-origin', route.name);
          assert.match(String(own.headers.vary), /X-Token, Authorization, x-user, x-groups/, route.name);
        }
      });
    }

    for (const [signedIn, byToken] of BOTH_WAYS) {
      it(`looks to ${byToken} in every way as to ${signedIn}, whom the proxy names`, async () => {
        for (const route of routes) {
          for (const about of ['vault', 'shown', 'qqqqq']) {
            const [proxied, own] = [
              await answerOf(route, about, signedIn),
              await answerOf(route, about, byToken),
            ];
            const name = `${route.name} of ${about}`;
            // An operation that needs a token refuses the one that came.
            if (proxied.status === 401) assert.equal(own.status, 401, name);
            else assert.equal(saidBy(own, about), saidBy(proxied, about), name);
          }
        }
      });
    }

    it('is in lists, counts and searches of authorised readers only', async () => {
      for (const path of [
        '/',
        '/api/projects',
        '/api/search?q=front&facets=true',
        '/-/search?q=front',
        '/-/upload',
        '/llms.txt',
        '/sitemap.xml',
      ]) {
        for (const who of WITHOUT_RIGHT) {
          const { body } = await ask(server, HOSTS_DOMAIN, path, { headers: AS[who] });
          assert.ok(/shown/.test(body) && !/vault/.test(body), `${path} as ${who}`);
        }
        for (const who of WITH_RIGHT) {
          const { body } = await ask(server, HOSTS_DOMAIN, path, { headers: AS[who] });
          assert.ok(/shown/.test(body) && /vault/.test(body), `${path} as ${who}`);
        }
      }
    });

    it('is found by agents of authorised readers only', async () => {
      const call = async (name: string, args: object, who: Who) => {
        const params = { name, arguments: args };
        const response = await server.fetch('/-/mcp', {
          method: 'POST',
          headers: {
            ...AS[who],
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        });
        assert.equal(response.status, 200);
        return response.text();
      };
      const calls = [
        ['find_project', {}],
        ['search_docs', { query: 'front' }],
      ] as const;
      for (const [name, args] of calls) {
        for (const who of WITHOUT_RIGHT) assert.doesNotMatch(await call(name, args, who), /vault/, name);
        for (const who of WITH_RIGHT) assert.match(await call(name, args, who), /vault/, name);
      }
      for (const who of WITHOUT_RIGHT) {
        const [hidden, missing] = [
          await call('list_pages', { project: 'vault' }, who),
          await call('list_pages', { project: 'qqqqq' }, who),
        ];
        assert.equal(hidden.replaceAll('vault', 'PROJECT'), missing.replaceAll('qqqqq', 'PROJECT'));
      }
    });

    it('leaves public pages unchanged, whoever asks', async () => {
      const name = 'shown-2.0';
      const [host, path] = isRedirecting
        ? [(await ask(server, HOSTS_DOMAIN, `/${name}/guide.html`)).headers.location ?? '', '/guide.html']
        : [HOSTS_DOMAIN, `/${name}/guide.html`];
      const at = host.replace(/^https:\/\/([^/]+).*/, '$1');
      const plain = await ask(server, at, path);
      assert.deepEqual([plain.status, plain.headers['cache-control']], [200, 'no-cache']);
      assert.equal(plain.headers['cross-origin-resource-policy'], undefined);
      assert.doesNotMatch(String(plain.headers.vary), /token|user/i);
      for (const who of [...WITHOUT_RIGHT, ...WITH_RIGHT]) {
        const answer = await ask(server, at, path, { headers: AS[who] });
        assert.equal(saidBy(answer, ''), saidBy(plain, ''), who);
      }
    });

    it('offers sign-in on anonymous 404 pages, with a return to the requested page', async () => {
      const linkIn = (body: string) => /<a href="(\/oauth2[^"]*)">Sign in<\/a>/.exec(body)?.[1];
      for (const project of ['vault', 'qqqqq']) {
        const path = `/${project}-2.0/guide.html?q=1`;
        const { body } = await ask(server, HOSTS_DOMAIN, path);
        const back = encodeURIComponent(`https://${HOSTS_DOMAIN}${path}`);
        assert.equal(linkIn(body), `/oauth2/start?rd=${back}`);
        const there = `${project}.${HOSTS_DOMAIN}`;
        const onHost = await ask(server, there, '/guide.html');
        assert.equal(onHost.status, 404);
        assert.equal(
          linkIn(onHost.body),
          `/oauth2/start?rd=${encodeURIComponent(`https://${there}/guide.html`)}`,
        );
        for (const who of ['bob', 'stranger'] as const) {
          assert.equal(linkIn((await ask(server, HOSTS_DOMAIN, path, { headers: AS[who] })).body), undefined);
        }
      }
      const missingPage = await ask(server, `shown.${HOSTS_DOMAIN}`, '/nothing.html');
      assert.deepEqual([missingPage.status, linkIn(missingPage.body)], [404, undefined]);
    });
  });
}
