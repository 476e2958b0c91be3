import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Answer, ask } from '../support/ask-host.js';
import { everyRoute, HOSTS_DOMAIN, publishSample, type Route, requestTo } from '../support/every-route.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { MemoryUsageStore } from '../support/memory-usage-store.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

/**
 * Publications in a route's answer to a reader (contract, section 4):
 * - `names`: the one that its address names; a hidden version too, but no preview that has ended
 * - `lists`: the listed ones
 * - `all`: hidden versions as well, marked as such
 * - `nothing`: none
 * - `token`: none, since the route answers only requests with a token
 */
type Answers = 'names' | 'lists' | 'all' | 'nothing' | 'token';

const ANSWERS: Readonly<Record<string, Answers>> = {
  'GET /api/help': 'nothing',
  'GET /api/version': 'nothing',
  'GET /api/client': 'nothing',
  'GET /api/spec': 'nothing',
  'GET /api/projects': 'all',
  'GET /api/projects/{project}': 'all',
  'GET /api/search': 'lists',
  'GET /api/projects/{project}/usage': 'lists',
  'GET /api/download/{project}/{version}': 'names',
  'GET /api/check/{project}/{version}': 'names',
  'GET /api/compare/{project}/{before}/{after}': 'names',
  'POST /api/upload': 'token',
  'DELETE /api/delete/{project}/{version}': 'token',
  'GET /api/previews/{project}': 'lists',
  'GET /api/previews/{project}/{name}': 'names',
  'DELETE /api/previews/{project}/{name}': 'token',
  'GET /api/removed': 'token',
  'POST /api/restore/{project}/{version}': 'token',
  'GET /api/usage/searches': 'token',
  'GET /api/token': 'token',
  'POST /api/tokens': 'token',
  'GET /api/tokens': 'token',
  'DELETE /api/tokens/{maker}/{name}': 'token',
  'PUT /api/aliases/{project}/{alias}': 'token',
  'DELETE /api/aliases/{project}/{alias}': 'token',
  'PUT /api/hidden/{project}/{version}': 'token',
  'DELETE /api/hidden/{project}/{version}': 'token',
  'PUT /api/deprecated/{project}/{version}': 'token',
  'DELETE /api/deprecated/{project}/{version}': 'token',
  'PUT /api/projects/{project}': 'token',
  'PUT /api/retention/{project}': 'token',
  'DELETE /api/retention/{project}': 'token',
  'GET /': 'lists',
  'GET /help': 'nothing',
  'GET /-/help/publish': 'nothing',
  'GET /llms.txt': 'lists',
  'GET /robots.txt': 'nothing',
  'GET /sitemap.xml': 'lists',
  'GET /-/upload': 'lists',
  'GET /-/manage/:project': 'nothing',
  'GET /-/api': 'nothing',
  'GET /-/feed.atom': 'lists',
  'GET /-/search': 'lists',
  'GET /-/opensearch.xml': 'nothing',
  'GET /-/projects': 'lists',
  'GET /-/projects/:project': 'lists',
  'GET /-/projects/:project/feed.atom': 'lists',
  'GET /-/projects/:project/usage': 'lists',
  'GET /-/projects/:project/versions.json': 'lists',
  'GET /-/badge/:project.svg': 'lists',
  'GET /-/switcher/:directory.json': 'names',
  'GET /-/go/:directory': 'names',
  'GET /-/go/:directory/{*page}': 'names',
  'GET /-/check/:project/:version': 'names',
  'GET /-/compare/:project': 'lists',
  'GET /-/compare/:project/:before/:after': 'names',
  'GET /-/compare/:project/:before/:after/{*page}': 'names',
  'GET /-/suggest/:directory/{*page}': 'names',
  'GET /versions.json': 'lists',
  'GET /-/identity/logo.svg': 'nothing',
  'GET /-/assets/{*file}': 'nothing',
  'GET /-/client.mjs': 'nothing',
  'GET /-/switcher.js': 'nothing',
  'GET /-/switcher/:module.js': 'nothing',
  'GET /-/readthedocs.js': 'nothing',
  'GET / on a host': 'nothing',
  'GET /:site/robots.txt on a host': 'nothing',
  'GET /:site/sitemap.xml on a host': 'lists',
  'GET /-/search on a host': 'lists',
  'GET /-/projects/:project/versions.json on a host': 'lists',
  'GET /-/switcher/:directory.json on a host': 'names',
  'GET /-/go/:directory on a host': 'names',
  'GET /-/go/:directory/{*page} on a host': 'names',
  'GET /-/suggest/:directory/{*page} on a host': 'names',
  'GET /-/identity/logo.svg on a host': 'nothing',
  'GET /-/assets/{*file} on a host': 'nothing',
  'GET /-/switcher.js on a host': 'nothing',
  'GET /-/switcher/:module.js on a host': 'nothing',
  'GET /-/readthedocs.js on a host': 'nothing',
  'GET /-/mcp/private on a host': 'nothing',
  'GET /-/{*rest} on a host': 'nothing',
  'GET /{project}-{version}/guide.html': 'names',
  'GET /{project}-{version}/guide': 'names',
  'GET /{project}-{version}/old': 'names',
  'GET /{project}-{bare}/': 'lists',
  'GET /{project}-{version}/missing.html': 'lists',
  'GET /{project}-{version}-docs.zip': 'names',
  'GET /{project}/guide.html': 'lists',
  'GET /guide.html on a host': 'lists',
  'GET /-/health': 'nothing',
  'GET /-/ready': 'nothing',
  'GET /-/metrics': 'nothing',
};

const PAGES = {
  'index.html': '<!doctype html><title>front</title><h1>Front</h1><p>front</p>',
  'guide.html': '<!doctype html><title>guide</title><h1>Guide</h1><p>front</p>',
  'missing.html': '<!doctype html><title>here only</title><p>front</p>',
  _redirects: '/old /guide.html 301\n',
};
/** The labels that `requestTo` asks for, and those that take their places. */
const [ASKED, HIDDEN, PREVIEW, ENDED] = ['2.0', '7.7.7', 'pr-1', 'zz-ended'];

describe('A reader', () => {
  let directory: string;
  let server: TestServer;
  let now: Date | undefined;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    await writeFile(join(directory, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(join(directory, 'site.json'), JSON.stringify({ logo: 'logo.svg' }));
    server = await TestServer.start({
      origin: `https://${HOSTS_DOMAIN}`,
      site: join(directory, 'site.json'),
      hosts: { domain: HOSTS_DOMAIN },
      search: new MemorySearchIndex(),
      usage: new MemoryUsageStore(),
      client: true,
      metrics: { contentType: 'text/plain', observe: () => {}, text: async () => 'a 1\n' },
      now: () => now ?? new Date(),
    });
    for (const project of ['shown', 'otherlib']) await publishSample(server, project);
    await server.upload(`shown-${HIDDEN}-docs.zip`, PAGES);
    const headers = { 'X-Token': 'secret-deleter' };
    await server.fetch(`/api/hidden/shown/${HIDDEN}`, { method: 'PUT', headers });
    await server.upload(`shown~${ENDED}-docs.zip`, PAGES, 'admin', [['expires', '1h']]);
    await server.isIndexed();
    now = new Date(Date.now() + 2 * 3_600_000);
  });
  after(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  const routes = everyRoute();
  const answering = (...kinds: readonly Answers[]) =>
    routes.filter((route) => kinds.includes(answersOf(route)));
  /** Asks as somebody without a token. */
  const answerOf = (route: Route, about: string, change = (text: string) => text): Promise<Answer> => {
    const { host, path, headers } = requestTo(route, about);
    return ask(server, host ?? HOSTS_DOMAIN, change(path), { method: route.method, headers });
  };
  const textOf = ({ headers, body }: Answer) => `${headers.location ?? ''} ${headers.link ?? ''} ${body}`;

  it('gets responses only from routes with a declared visibility', () => {
    const names = routes.map(({ name }) => name).filter((name) => !LIBRARY.test(name));
    assert.deepEqual([...new Set(names)].sort(), Object.keys(ANSWERS).sort());
  });

  it('finds a hidden version in no list, and in no response about another version', async () => {
    for (const route of answering('lists', 'names', 'nothing')) {
      const answer = await answerOf(route, 'shown');
      assert.ok(!textOf(answer).includes(HIDDEN), route.name);
    }
    for (const route of answering('all')) {
      const { body } = await answerOf(route, 'shown');
      assert.match(body, /"version":"7\.7\.7"[^}]*"hidden":true/, route.name);
    }
  });

  it('reads a hidden version by its name, with noindex', async () => {
    for (const route of answering('names')) {
      if (route.name === 'GET /api/previews/{project}/{name}' || route.host === 'project') continue;
      const listed = await answerOf(route, 'shown');
      const hidden = await answerOf(route, 'shown', (path) => path.replace(ASKED, HIDDEN));
      assert.equal(hidden.status, listed.status, route.name);
      assert.ok(hidden.status < 400, `${route.name}: ${hidden.status}`);
      if (route.path.startsWith('/{project}-'))
        assert.equal(hidden.headers['x-robots-tag'], 'noindex', route.name);
    }
  });

  it('finds an expired preview nowhere, not by its name either', async () => {
    for (const route of answering('lists', 'names', 'all', 'nothing')) {
      assert.ok(!textOf(await answerOf(route, 'shown')).includes(ENDED), route.name);
    }
    for (const route of answering('names')) {
      const { status, headers } = await answerOf(route, 'shown', (path) =>
        path.replace(`-${ASKED}`, `~${ENDED}`).replace(`/${ASKED}`, `/~${ENDED}`).replace(PREVIEW, ENDED),
      );
      // The switcher of a host is that of its site, whatever is asked for.
      if (route.name === 'GET /-/switcher/:directory.json on a host') continue;
      assert.deepEqual([status, headers.location], [404, undefined], route.name);
    }
  });

  it("finds no other project on a project's host", async () => {
    for (const route of routes.filter(({ host }) => host === 'project')) {
      // Request on the host of `shown`, with all names from `otherlib`.
      const { host, path, headers } = requestTo(route, 'otherlib');
      const answer = await ask(server, host?.replace('otherlib.', 'shown.') ?? '', path, { headers });
      if (!route.path.startsWith('/-/go/')) assert.ok(!answer.body.includes('otherlib'), route.name);
      if (answersOf(route) !== 'names' || route.path.startsWith('/-/switcher/')) continue;
      // Links to other projects lead to the main host, which says whether there is such a page.
      const isGo = route.path.startsWith('/-/go/');
      assert.equal(answer.status, isGo ? 302 : 404, route.name);
      assert.equal(answer.headers.location, isGo ? `https://${HOSTS_DOMAIN}${path}` : undefined, route.name);
    }
  });

  it('finds no hidden project or version in the counts of a search, nor in a search of all versions', async () => {
    const found = async (query: string) => {
      const { body } = await ask(server, HOSTS_DOMAIN, `/api/search?facets=true&q=front&${query}`);
      return JSON.parse(body) as FoundBody;
    };
    const isRead = async (query: string) => (await found(query)).indexing === 0;
    await server.upload('secretlib-1.0-docs.zip', PAGES);
    await server.isIndexed();
    // Sorted: projects with as many pages come in any order.
    const countsOf = ({ facets }: FoundBody) => facets.project.map(({ name, pages }) => [name, pages]).sort();
    assert.deepEqual(countsOf(await found('')), [
      ['otherlib', 1],
      ['secretlib', 3],
      ['shown', 1],
    ]);
    const headers = { 'X-Token': 'secret-deleter' };
    await server.fetch('/api/hidden/secretlib/1.0', { method: 'PUT', headers });
    // Both have an index, and are found by their names.
    const hidden = [`project=shown&version=${HIDDEN}`, 'project=secretlib&version=1.0'];
    for (const query of hidden) {
      await until(() => isRead(query));
      assert.equal((await found(query)).total, 3, query);
    }
    const all = await found('');
    assert.deepEqual(countsOf(all), [
      ['otherlib', 1],
      ['shown', 1],
    ]);
    assert.deepEqual(all.facets.page_kind, [{ name: 'guide', pages: 2 }]);
    const ofAll = await found('project=shown&version=all');
    assert.deepEqual(countsOf(ofAll), [['shown', 1]]);
    assert.ok(ofAll.total > 0 && !JSON.stringify([all, ofAll]).includes(HIDDEN));
    const none = await ask(server, HOSTS_DOMAIN, '/api/search?q=front&project=secretlib&version=all');
    assert.equal(none.status, 404);
    const page = await ask(server, HOSTS_DOMAIN, '/-/search?q=front');
    assert.doesNotMatch(page.body, /secretlib|7\.7\.7/);
  });

  it('searches only the project of a host', async () => {
    const found = async (host: string) =>
      new Set((await ask(server, host, '/-/search?q=front')).body.match(/\b(?:shown|otherlib)\b/g));
    assert.deepEqual(await found(HOSTS_DOMAIN), new Set(['otherlib', 'shown']));
    assert.deepEqual(await found(`shown.${HOSTS_DOMAIN}`), new Set(['shown']));
    assert.deepEqual(await found(`otherlib.${HOSTS_DOMAIN}`), new Set(['otherlib']));
    assert.deepEqual(await found(`nobody.${HOSTS_DOMAIN}`), new Set());
  });
});

interface FoundBody {
  readonly total: number;
  readonly indexing: number;
  readonly facets: Readonly<
    Record<'project' | 'page_kind', readonly { readonly name: string; readonly pages: number }[]>
  >;
}

/** Files of packages, by a version that changes. */
const LIBRARY = /^GET \/-\/assets\/[\w-]+-[\d.]+\//;

function answersOf({ name }: Route): Answers {
  return LIBRARY.test(name) ? 'nothing' : (ANSWERS[name] ?? assert.fail(`${name}: say above what it shows`));
}
