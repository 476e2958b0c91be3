import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { ApiOperation } from '../../../src/adapters/http/api/api-operation.js';
import { plainAnswer } from '../../../src/adapters/http/response/answer.js';
import { MemoryTokenRegistry } from '../../../src/adapters/memory/index.js';
import type { Credential, TokenRegistry } from '../../../src/application/index.js';
import { type Actor, jobActor } from '../../../src/domain/index.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { MemoryUsageStore } from '../../support/memory-usage-store.js';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { until } from '../../support/until.js';

/** The operations that anyone may ask for; every other one needs a token. */
const PUBLIC = [
  'get /api/help',
  'get /api/version',
  'get /api/spec',
  'get /api/projects',
  'get /api/projects/{project}',
  'get /api/search',
  'get /api/projects/{project}/usage',
  'get /api/download/{project}/{version}',
  'get /api/compare/{project}/{before}/{after}',
  'get /api/check/{project}/{version}',
  'get /api/previews/{project}',
  'get /api/previews/{project}/{name}',
];

/** Values for the parameters of paths, for which something is there. */
const VALUES: Readonly<Record<string, string>> = {
  project: 'a',
  version: '1.0',
  before: '1.0',
  after: '1.0',
  alias: 'stable',
  name: 'pr-1',
  maker: 'admin',
};

/** Whoever sends the token of a job, for all operations. */
const JOB = jobActor('github', 'repo:acme/a', { projects: ['a'], allowDelete: true, allowManage: true });

/** Keeps what it is asked for, and answers when it is told to. */
class WatchedRegistry implements TokenRegistry {
  readonly isConfigured = true;
  readonly asked: Credential[] = [];
  /** Every answer waits for it. */
  delay: Promise<void> = Promise.resolve();
  private readonly tokens = new MemoryTokenRegistry([
    { name: 'admin', secret: 'secret-admin', allowDelete: true, allowManage: true },
  ]);

  async authenticate(credential: Credential) {
    this.asked.push(credential);
    await this.delay;
    if (credential.scheme === 'bearer' && credential.secret === 'job-of-acme') return JOB;
    return this.tokens.authenticate(credential);
  }

  holders() {
    return this.tokens.holders();
  }
}

const registry = new WatchedRegistry();
const server = await TestServer.start({
  tokens: registry,
  search: new MemorySearchIndex(),
  usage: new MemoryUsageStore(),
});
for (const name of ['a-1.0', 'a~pr-1']) await server.upload(`${name}-docs.zip`);
const document = await server.json('/api/spec');
const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, description]) => ({
    name: `${method} ${path}`,
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, (_, key) => VALUES[key] ?? assert.fail(key)),
    description,
  })),
);

/** Sends the header of a request that announces a body, and nothing of the body. */
function sendHeader({ method, path }: { method: string; path: string }, headers: readonly string[]): Socket {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const body = method === 'GET' ? [] : ['Content-Type: application/json', 'Content-Length: 20'];
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', ...body, ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.on('error', () => {});
  return socket;
}

/** Returns the header and the JSON body of the answer once both are there. */
async function answerTo(socket: Socket): Promise<{ readonly head: string; readonly body: Json }> {
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    if (body.endsWith('}')) return { head, body: JSON.parse(body) };
  }
  return assert.fail(`the connection ended after ${JSON.stringify(text)}`);
}

describe('Every operation of the API', () => {
  after(() => server.close());

  const needing = operations.filter(({ name }) => !PUBLIC.includes(name));

  it('is either public or needs a token', () => {
    assert.equal(needing.length, operations.length - PUBLIC.length);
    assert.deepEqual(
      operations.filter(({ method, name }) => method !== 'GET' && PUBLIC.includes(name)),
      [],
    );
  });

  it('needs needsToken to compile when it uses the actor', () => {
    const handle = async (_asked: unknown, _actor: Actor) => plainAnswer('done');
    const outline = {
      method: 'delete',
      path: '/api/x',
      id: 'x',
      use: 'Server',
      summary: 'X',
      answers: {},
      refusals: [],
    } as const;
    const complete: ApiOperation = { ...outline, needsToken: true, changes: 'remove', handle };
    // @ts-expect-error
    const forgetful: ApiOperation = { ...outline, handle };
    assert.notEqual(complete.needsToken, forgetful.needsToken);
  });

  for (const operation of needing) {
    describe(`An operation that needs a token: ${operation.name}`, () => {
      let files: readonly string[];
      before(async () => {
        files = await tree(server.docs);
      });

      for (const [what, headers, message] of [
        ['without a token', [], /A token is required/],
        ['with an empty token', ['X-Token: '], /A token is required/],
        ['with a wrong token', ['X-Token: secret-nobody'], /is unknown/],
        ['with a token in the wrong header', ['Authorization: Bearer secret-admin'], /in the header X-Token/],
        ['with a token as a user name', ['Authorization: Basic c2VjcmV0LWFkbWluOg=='], /A token is required/],
        [
          'with a token as a password',
          [`Authorization: Basic ${btoa('a:secret-admin')}`],
          /A token is required/,
        ],
        [
          'with a wrong token beside the right one of a job',
          ['Authorization: Bearer job-of-acme', 'X-Token: secret-nobody'],
          /is unknown/,
        ],
        [
          'with an empty token beside the right one of a job',
          ['X-Token: ', 'Authorization: Bearer job-of-acme'],
          /A token is required/,
        ],
      ] as const) {
        it(`is refused ${what} before its body is read, and changes nothing`, async () => {
          const socket = sendHeader(operation, [...headers, 'Expect: 100-continue']);
          const { head, body } = await answerTo(socket);
          socket.destroy();
          assert.match(head, /^HTTP\/1\.1 401 /, 'neither another status nor 100 Continue');
          assert.match(head, /^WWW-Authenticate: Bearer$/im);
          assert.deepEqual([body.success, body.error], [false, 'authentication_required']);
          assert.match(body.message, message);
          assert.deepEqual(await tree(server.docs), files);
        });
      }

      it('is described as such in the OpenAPI document', () => {
        const { security, responses } = operation.description;
        assert.deepEqual(security, [{ token: [] }, { job: [] }]);
        assert.match(responses[401].description, /`authentication_required`/);
      });
    });
  }

  for (const { name, path, description } of operations.filter((each) => PUBLIC.includes(each.name))) {
    it(`never authenticates when public: ${name}`, async () => {
      registry.asked.length = 0;
      for (const headers of [{}, { 'X-Token': 'secret-nobody' }, { Authorization: 'Bearer a.b.c' }]) {
        const response = await server.get(name === 'get /api/search' ? `${path}?q=x` : path, headers);
        await response.arrayBuffer();
        assert.equal(response.status, 200);
      }
      assert.deepEqual(registry.asked, []);
      assert.deepEqual(description.security, []);
      assert.equal(description.responses[401], undefined);
    });
  }

  it('queries the registry once before it begins, with the secret', async () => {
    for (const { method, name, path } of needing) {
      registry.asked.length = 0;
      const response = await server.fetch(path, { method, headers: { 'X-Token': 'secret-admin' } });
      await response.arrayBuffer();
      assert.notEqual(response.status, 401, name);
      assert.deepEqual(registry.asked, [{ scheme: 'token', secret: 'secret-admin' }], name);
    }
  });

  it('accepts the token of a job', async () => {
    for (const { method, name, path } of needing) {
      registry.asked.length = 0;
      const headers = { Authorization: 'bearer  job-of-acme' };
      const response = await server.fetch(path, { method, headers });
      await response.arrayBuffer();
      assert.notEqual(response.status, 401, name);
      assert.deepEqual(registry.asked, [{ scheme: 'bearer', secret: 'job-of-acme' }], name);
    }
  });

  it('does not begin for a client that leaves before the registry has responded', async () => {
    await server.upload('a-2.0-docs.zip');
    let answer = () => {};
    registry.delay = new Promise((resolve) => {
      answer = resolve;
    });
    registry.asked.length = 0;
    const operation = { method: 'DELETE', path: '/api/delete/a/2.0' };
    const socket = sendHeader(operation, ['X-Token: secret-admin']);
    await until(async () => registry.asked.length === 1);
    const isLogged = async () => {
      const line = server.log.at(-1) as Json;
      return line.path === operation.path && line.aborted === true;
    };
    socket.destroy();
    await until(isLogged);
    answer();
    registry.delay = Promise.resolve();
    assert.equal((await server.delete('a/2.0')).status, 200, 'it was there to be deleted');
  });
});
