import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { basic, Credentials, FORMS, type Headers, type Kind } from '../../support/credentials.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { MemoryUsageStore } from '../../support/memory-usage-store.js';
import { skipUnless, succeeds } from '../../support/needs.js';
import { AS, withPrivate } from '../../support/private-projects.js';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { zipOf } from '../../support/zip-writer.js';

const NEEDS = skipUnless(await succeeds('openssl', 'version'), 'openssl is not installed');

/** A holder may read and change `vault`, a reader may read it, nobody may read what is public, others are refused. */
type Standing = 'holder' | 'reader' | 'nobody' | 'refused';

/** Standing that a secret of each kind gives its sender, by the form that it is sent in (contract, section 12). */
const STANDINGS: Readonly<Record<Kind, Readonly<Record<keyof typeof FORMS, Standing>>>> = {
  'a token of the file': row('holder', 'reader', 'reader', 'nobody'),
  'a token that was made': row('holder', 'reader', 'reader', 'nobody'),
  'an expired token': row('refused', 'refused', 'refused', 'nobody'),
  'an unknown token': row('refused', 'refused', 'nobody', 'nobody'),
  "a job's token": row('refused', 'holder', 'nobody', 'nobody'),
  "a job's token that has ended": row('refused', 'refused', 'nobody', 'nobody'),
  'a token of another issuer': row('refused', 'refused', 'nobody', 'nobody'),
  'an empty text': row('refused', 'refused', 'nobody', 'nobody'),
};

function row(token: Standing, bearer: Standing, password: Standing, user: Standing) {
  return { 'X-Token': token, Bearer: bearer, 'Basic, password': password, 'Basic, user name': user };
}

interface Route {
  readonly name: string;
  readonly send: (server: TestServer, headers: Headers) => Promise<Response>;
  /** Statuses by standing; of lists, with whether `vault` is in them. */
  readonly expected: Readonly<Record<Standing, string>>;
  readonly isReading: boolean;
}

const get = (path: string) => (server: TestServer, headers: Headers) => server.get(path, headers);
const reading = (name: string, holder: string, nobody: string, send: Route['send'] = get(name)): Route => ({
  ...{ name, send, isReading: true },
  expected: { holder, reader: holder, nobody, refused: '401' },
});
const changing = (name: string, holder: string, send: Route['send'] = get(name)): Route => ({
  ...{ name, send, isReading: false },
  expected: { holder, reader: '401', nobody: '401', refused: '401' },
});

const ROUTES: readonly Route[] = [
  reading('/shown-1.0/', '200', '200'),
  reading('/vault-1.0/', '200', '404'),
  reading('/vault-latest/objects.inv', '200', '404'),
  reading('/vault-1.0-docs.zip', '200', '404'),
  reading('/', '200 all', '200 public'),
  reading('/robots.txt', '200', '200'),
  reading('/-/search?q=front', '200 all', '200 public'),
  reading('/-/projects/vault', '200', '404'),
  reading('/-/projects', '200 all', '200 public'),
  reading('/-/projects?format=csv', '200 all', '200 public'),
  reading('/-/feed.atom', '200 all', '200 public'),
  reading('/-/projects/vault/feed.atom', '200', '404'),
  reading('/-/check/vault/1.0', '200', '404'),
  reading('/api/check/vault/1.0', '200', '404'),
  reading('/api/projects', '200 all', '200 public'),
  reading('/api/projects/vault', '200', '404'),
  reading('/api/download/vault/latest', '200', '404'),
  reading('/api/search?q=front', '200 all', '200 public'),
  reading('/api/version', '200', '200'),
  reading('POST /-/mcp', '200 all', '200 public', (server, headers) => {
    const params = { name: 'search_docs', arguments: { query: 'front' } };
    return server.fetch(`/-/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
  }),
  changing('/api/token', '200'),
  changing('/api/tokens', '200'),
  changing('/api/removed', '200'),
  // It needs the right to manage every project: test/http/search/unfound-searches.test.ts.
  changing('/api/usage/searches', '403'),
  changing('POST /api/upload', '201', (server, headers) => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': 'new' }))]), 'vault-9.0-docs.zip');
    return server.fetch(`/api/upload`, { method: 'POST', headers, body });
  }),
  // After the upload, whose version it takes away.
  changing('DELETE /api/delete/vault/9.0', '200', (server, headers) =>
    server.fetch(`/api/delete/vault/9.0?purge=true`, { method: 'DELETE', headers }),
  ),
];

const SITE = { 'index.html': '<title>front</title><p>front', 'objects.inv': 'inventory' };

/** Values of path parameters that name something in the store. */
const VALUES: Readonly<Record<string, string>> = {
  ...{ project: 'vault', version: '1.0', alias: 'stable', name: 'made', maker: 'owner' },
};

/** Returns the paths on disk, without the version that holders upload and delete: its files stay for a while. */
const kept = async ({ docs }: TestServer) =>
  (await tree(docs)).filter((path) => !path.includes('/vault-9.0/'));

interface Sender {
  readonly what: string;
  readonly headers: Headers;
  readonly standing: Standing;
}

/** Sends a request as a browser would, and gives back its status, with whether a list has `vault` where that may differ. */
async function cell(route: Route, server: TestServer, { what, headers }: Sender): Promise<string> {
  const response = await route.send(server, { Accept: 'text/html', ...headers });
  const text = await response.text();
  const where = `${route.name}, ${what}`;
  const { status } = response;
  const challenge = response.headers.get('WWW-Authenticate');
  assert.equal(challenge, status === 401 ? 'Bearer' : null, where);
  if (status >= 400 && /\/(?:api|-\/mcp)/.test(route.name)) {
    assert.match(response.headers.get('Content-Type') ?? '', /^application\/json/, where);
    const { error } = JSON.parse(text) as Json;
    if (status === 401) assert.equal(error.data?.error ?? error, 'authentication_required', where);
  }
  const isList = /^200 /.test(route.expected.holder);
  return `${status}${isList && status === 200 ? (/vault/.test(text) ? ' all' : ' public') : ''}`;
}

for (const isPrivate of [true, false]) {
  describe(`Credentials with${isPrivate ? '' : 'out'} access rules`, NEEDS, () => {
    let credentials: Credentials;
    let server: TestServer;
    let senders: readonly Sender[];

    before(async () => {
      credentials = await Credentials.start();
      const options = {
        tokens: credentials.tokens,
        search: new MemorySearchIndex(),
        usage: new MemoryUsageStore(),
      };
      server = await TestServer.start(isPrivate ? { ...withPrivate(), ...options } : options);
      for (const project of ['shown', 'vault']) await server.upload(`${project}-1.0-docs.zip`, SITE);
      const secrets = await credentials.secrets(server);
      await server.isIndexed(isPrivate ? FORMS['X-Token'](secrets['a token of the file']) : {});
      const single = Object.entries(STANDINGS).flatMap(([kind, forms]) =>
        Object.entries(forms).map(([form, standing]) => {
          const headers = FORMS[form as keyof typeof FORMS](secrets[kind as Kind]);
          return { what: `${kind} as ${form}`, headers, standing };
        }),
      );
      const { Bearer: bearer, 'X-Token': token } = FORMS;
      const [good, job, wrong] = [secrets['a token of the file'], secrets["a job's token"], 'secret-nobody'];
      const beside: Sender[] = [
        { what: 'nothing', headers: {}, standing: 'nobody' },
        ...(
          [
            ['a good X-Token and a wrong Bearer', { ...token(good), ...bearer(wrong) }, 'holder'],
            ['a good X-Token and a foreign login', { ...token(good), ...basic('a', 'b') }, 'holder'],
            ['a wrong X-Token and a good Bearer', { ...token(wrong), ...bearer(good) }, 'refused'],
            ["a wrong X-Token and a job's Bearer", { ...token(wrong), ...bearer(job) }, 'refused'],
            ['an empty X-Token and a good password', { ...token(''), ...basic('a', good) }, 'refused'],
            ['Basic without a colon', { Authorization: `Basic ${btoa('secret-admin')}` }, 'nobody'],
            ['Basic that is no base64', { Authorization: 'Basic %%%' }, 'nobody'],
            ['another scheme', { Authorization: 'Digest username="secret-admin"' }, 'nobody'],
          ] as const
        ).map(([what, headers, standing]) => ({ what, headers, standing })),
      ];
      // Without rules, the server knows no people.
      const people = (
        [
          ['a person with a right, a wrong Bearer', { ...AS.ann, ...bearer(wrong) }, 'reader'],
          ['a person with a right, a foreign login', { ...AS.ann, ...basic('a', 'b') }, 'reader'],
          ['a person without, a good Bearer', { ...AS.bob, ...bearer(good) }, 'nobody'],
          ['a person without, a good password', { ...AS.bob, ...basic('a', good) }, 'nobody'],
          ["a person without, a job's Bearer", { ...AS.bob, ...bearer(job) }, 'nobody'],
          ['a person without, a good X-Token', { ...AS.bob, ...token(good) }, 'holder'],
        ] as const
      ).map(([what, headers, standing]) => ({ what, headers, standing }));
      senders = [...single, ...beside, ...(isPrivate ? people : [])];
    });
    after(async () => {
      await server?.close();
      await credentials?.close();
    });

    /** Without rules, everybody reads everything, and only who changes something is known. */
    const expectedOf = ({ expected, isReading }: Route, { standing }: Sender): string =>
      expected[isPrivate ? standing : isReading || standing === 'holder' ? 'holder' : 'refused'];

    it('get the response of the table in each form, in JSON for programs', async (t) => {
      const lines = [
        ['Credential', ...ROUTES.map(({ name }) => `\`${name}\``)],
        ['---', ...ROUTES.map(() => '---')],
      ];
      const wrong: string[] = [];
      for (const sender of senders) {
        const files = await kept(server);
        const cells: string[] = [];
        for (const route of ROUTES) {
          const found = await cell(route, server, sender);
          cells.push(found);
          const expected = expectedOf(route, sender);
          if (found !== expected) wrong.push(`${route.name}, ${sender.what}: ${found}, not ${expected}`);
        }
        lines.push([sender.what, ...cells]);
        if (sender.standing !== 'holder') assert.deepEqual(await kept(server), files, sender.what);
      }
      for (const cells of lines) t.diagnostic(`| ${cells.join(' | ')} |`);
      assert.deepEqual(wrong, []);
    });

    it('are described in the OpenAPI document for reading', async () => {
      const document = await server.json('/api/spec');
      const { valid, errors } = await new Validator().validate(structuredClone(document));
      assert.ok(valid, JSON.stringify(errors));
      const { get: list } = document.paths['/api/projects'];
      const optional = [{}, { token: [] }, { bearer: [] }, { basic: [] }];
      assert.deepEqual(list.security, isPrivate ? optional : []);
      assert.equal(list.responses[401] !== undefined, isPrivate);
      const schemes = Object.keys(document.components.securitySchemes);
      assert.deepEqual(schemes, ['token', 'job', ...(isPrivate ? ['bearer', 'basic'] : [])]);
      const { responses } = document.paths['/api/upload'].post;
      assert.equal('WWW-Authenticate' in responses[401].headers, true);
    });

    it('are refused when read-only at every operation that needs a token, and nothing changes', async () => {
      const { paths } = await server.json('/api/spec');
      const needing = Object.entries<Json>(paths).flatMap(([path, methods]) =>
        Object.entries<Json>(methods)
          .filter(([, { security }]) => JSON.stringify(security) === '[{"token":[]},{"job":[]}]')
          .map(([method]) => ({ path, method: method.toUpperCase() })),
      );
      assert.ok(needing.length > 15, `${needing.length}`);
      const gets = needing.filter(({ method }) => method === 'GET').map(({ path }) => path);
      for (const path of ['/api/token', '/api/tokens', '/api/removed', '/api/usage/searches'])
        assert.ok(gets.includes(path), path);
      const files = await kept(server);
      for (const { what, headers, standing } of senders) {
        if (standing === 'holder') continue;
        for (const { path, method } of needing) {
          const target = path.replace(/\{(\w+)\}/g, (_, key) => VALUES[key] ?? assert.fail(key));
          const response = await server.fetch(target, { method, headers });
          const { error } = (await response.json()) as Json;
          const where = `${method} ${target}, ${what}`;
          assert.deepEqual([response.status, error], [401, 'authentication_required'], where);
          assert.equal(response.headers.get('WWW-Authenticate'), 'Bearer', where);
        }
      }
      assert.deepEqual(await kept(server), files);
    });

    it('leave no secret in the log, in any form', () => {
      const log = JSON.stringify(server.log);
      for (const { headers } of senders) {
        for (const name of ['X-Token', 'Authorization']) {
          const value = headers[name]?.replace(/^\w+ /, '') ?? '';
          if (value.length > 4) assert.ok(!log.includes(value), value);
        }
      }
      assert.doesNotMatch(log, /secret-/);
    });
  });
}
