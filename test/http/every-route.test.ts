import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { JsonTokenRegistry } from '../../src/adapters/json/index.js';
import { ask } from '../support/ask-host.js';
import { everyRoute, HOSTS_DOMAIN, publishSample, type Route, requestTo } from '../support/every-route.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { MemoryUsageStore } from '../support/memory-usage-store.js';
import { ROOT } from '../support/root.js';
import { TestServer } from '../support/server.js';

const ADMIN = {
  token: 'secret-admin',
  ...{ allow_overwrite: true, allow_delete: true, allow_manage: true, allow_tokens: true },
};
const METRICS = { contentType: 'text/plain', observe: () => {}, text: async () => 'a 1\n' };

/** `Cache-Control` of the routes whose responses are not kept and revalidated. */
const OTHER_POLICIES: readonly (readonly [route: RegExp, value: string])[] = [
  // For one client only.
  [/^(GET \/api\/(tokens?|removed|usage\/searches)|POST \/api\/tokens)$/, 'no-store'],
  // For one moment only.
  [/^GET \/-\/(health|ready|metrics)$/, 'no-store'],
  // A failure.
  [/^GET (?:\/|\/-\/mcp\/private) on a host$/, 'no-store'],
  [/^GET \/-\/(switcher|switcher\/:module|readthedocs)\.js( on a host)?$/, 'max-age=600'],
  // The version of the library is in the address.
  [/^GET \/-\/assets\/[\w-]+-[\d.]+\/[\w./]+( on a host)?$/, 'public, max-age=31536000, immutable'],
];

type Answer = Pick<Response, 'status' | 'headers'>;

describe('Every route', () => {
  let directory: string;
  let server: TestServer;
  let onHosts: TestServer;
  const answers = new Map<Route, Answer>();
  let projects = 0;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    await writeFile(join(directory, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(join(directory, 'site.json'), JSON.stringify({ logo: 'logo.svg' }));
    const options = () => ({
      origin: `https://${HOSTS_DOMAIN}`,
      site: join(directory, 'site.json'),
      tokens: JsonTokenRegistry.parse(JSON.stringify({ tokens: { admin: ADMIN } })),
      search: new MemorySearchIndex(),
      usage: new MemoryUsageStore(),
      client: true,
      metrics: METRICS,
      keepRemovedMs: 3_600_000,
    });
    server = await TestServer.start(options());
    onHosts = await TestServer.start({ ...options(), hosts: { domain: HOSTS_DOMAIN, isRedirecting: true } });
    for (const each of [server, onHosts]) await publishSample(each, 'shown');
    for (const route of everyRoute()) answers.set(route, await answerOf(route));
  });
  after(async () => {
    await server.close();
    await onHosts.close();
    await rm(directory, { recursive: true });
  });

  /** Asks for a route. Whatever changes something gets a project of its own. */
  const answerOf = async (route: Route): Promise<Answer> => {
    let project = 'shown';
    if (route.method !== 'GET') {
      project = `changed${++projects}`;
      await publishSample(server, project);
    }
    if (route.path.startsWith('/api/restore/')) await server.delete(`${project}/2.0`);
    const { host, path, headers, body } = requestTo(route, project, { 'X-Token': ADMIN.token });
    if (host !== undefined) {
      const { status, headers: got } = await ask(onHosts, host, path, { headers });
      return { status, headers: new Headers(got as Record<string, string>) };
    }
    if (route.path === '/api/upload') return server.upload(`${project}-3.0-docs.zip`);
    const { method } = route;
    const response = await server.fetch(path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    await response.arrayBuffer();
    return response;
  };

  it('responds to a request for something existing', async () => {
    const missing = [
      'GET / on a host',
      'GET /-/mcp/private on a host',
      'GET /{project}-{version}/missing.html',
    ];
    for (const [route, { status }] of answers) {
      if (missing.includes(route.name)) assert.equal(status, 404, route.name);
      else assert.ok(status < 400, `${route.name}: ${status}`);
    }
  });

  it('has a cache policy: a handler without one is detected by `no-store`', async () => {
    for (const [route, { headers }] of answers) {
      const [, expected] = OTHER_POLICIES.find(([name]) => name.test(route.name)) ?? [route, 'no-cache'];
      assert.equal(headers.get('cache-control'), expected, route.name);
    }
  });

  it('makes a failure uncacheable', async () => {
    for (const [path, status] of [
      ['/api/nothing', 404],
      ['/-/nothing', 404],
      ['/api/projects/nothing', 404],
      [`/api/projects?search=${'x'.repeat(201)}`, 400],
    ] as const) {
      const answer = await server.get(path);
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [status, 'no-store'], path);
    }
    assert.match(await server.raw('no HTTP\r\n\r\n'), /^HTTP\/1\.1 400 .*\r\nCache-Control: no-store\r\n/);
  });
});

describe('The HTTP adapter', () => {
  it('names the values of Cache-Control in one file', async () => {
    const directory = join(ROOT, 'src/adapters/http');
    for (const name of await readdir(directory, { recursive: true })) {
      if (!name.endsWith('.ts') || name === join('response', 'answer.ts')) continue;
      const text = await readFile(join(directory, name), 'utf8');
      assert.doesNotMatch(text, /['"]no-(cache|store)|max-age=|set\(\{?\s*['"]Cache-Control/, name);
    }
  });
});
