import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MemoryTokenRegistry } from '../../../src/adapters/memory/index.js';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { watchChanges } from '../../support/watched-changes.js';

const RIGHTS = { allowOverwrite: true, allowDelete: true, allowManage: true };
const TOKENS = new MemoryTokenRegistry([
  { name: 'owner', secret: 'secret-owner', projects: ['a'], allowTokens: true, ...RIGHTS },
  { name: 'other', secret: 'secret-other', projects: ['b'], ...RIGHTS },
]);

/** For each operation that changes something, in an order in which they succeed: a request, and the change that it makes. */
const OPERATIONS: readonly (readonly [
  operation: string,
  request: readonly [method: string, path: string, body?: string],
  change: string,
  reason: string,
])[] = [
  ['post /api/upload', ['POST', 'upload'], 'publish', 'upload'],
  [
    'put /api/aliases/{project}/{alias}',
    ['PUT', 'aliases/a/x', '{"target":"1.0"}'],
    'changeSettings',
    'aliases',
  ],
  ['delete /api/aliases/{project}/{alias}', ['DELETE', 'aliases/a/x'], 'changeSettings', 'aliases'],
  ['put /api/hidden/{project}/{version}', ['PUT', 'hidden/a/1.0'], 'changeSettings', 'hidden'],
  ['delete /api/hidden/{project}/{version}', ['DELETE', 'hidden/a/1.0'], 'changeSettings', 'hidden'],
  [
    'put /api/deprecated/{project}/{version}',
    ['PUT', 'deprecated/a/1.0', '{"message":"Old"}'],
    'changeSettings',
    'deprecated',
  ],
  [
    'delete /api/deprecated/{project}/{version}',
    ['DELETE', 'deprecated/a/1.0'],
    'changeSettings',
    'deprecated',
  ],
  ['put /api/projects/{project}', ['PUT', 'projects/a', '{"title":"A"}'], 'changeSettings', 'about'],
  [
    'put /api/retention/{project}',
    ['PUT', 'retention/a', '{"keep_per_minor":9}'],
    'changeSettings',
    'retention',
  ],
  ['delete /api/retention/{project}', ['DELETE', 'retention/a'], 'changeSettings', 'retention'],
  ['delete /api/previews/{project}/{name}', ['DELETE', 'previews/a/pr-1'], 'remove', 'delete'],
  ['delete /api/delete/{project}/{version}', ['DELETE', 'delete/a/1.0'], 'remove', 'delete'],
  ['post /api/restore/{project}/{version}', ['POST', 'restore/a/1.0'], 'restore', 'restore'],
  ['post /api/tokens', ['POST', 'tokens', '{"name":"t","projects":["a"]}'], 'changeMadeTokens', 'token_made'],
  ['delete /api/tokens/{maker}/{name}', ['DELETE', 'tokens/owner/t'], 'changeMadeTokens', 'token_revoked'],
];

describe('Every changing operation', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ keepRemovedMs: 3_600_000, tokens: TOKENS });
    for (const name of ['a-1.0', 'a~pr-1']) await server.upload(`${name}-docs.zip`, undefined, 'owner');
  });
  after(() => server.close());

  function send([method, path, body]: (typeof OPERATIONS)[number][1], token: string): Promise<Response> {
    if (path === 'upload') return server.upload('a-2.0-docs.zip', undefined, token);
    return server.fetch(`/api/${path}`, {
      method,
      headers: { 'X-Token': `secret-${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
  }

  it('is tested here', async () => {
    const { paths } = await server.json('/api/spec');
    const all = Object.entries<Json>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const changing = all.filter((operation) => !operation.startsWith('get '));
    assert.deepEqual(changing.sort(), OPERATIONS.map(([operation]) => operation).sort());
  });

  for (const [operation, request, method, reason] of OPERATIONS) {
    it(`goes through Changes, with actor, reason and time: ${operation}`, async (t) => {
      const { seen, made } = watchChanges(t);
      const begin = Date.now();
      const response = await send(request, 'owner');
      assert.ok(response.ok, await response.text());
      assert.deepEqual(
        seen.map((change) => [change.method, change.actor, change.reason]),
        [[method, 'token owner', reason]],
      );
      const at = seen[0]?.now.getTime() ?? 0;
      assert.ok(at >= begin && at <= Date.now(), 'the change has another time');
      assert.deepEqual(made, [method], 'the store was changed another way');
    });

    it(`decides on no change for a refused actor: ${operation}`, async (t) => {
      const { seen, made } = watchChanges(t);
      const files = await tree(server.docs);
      for (const [token, status] of [
        ['nobody', 401],
        ['other', 403],
      ] as const) {
        assert.equal((await send(request, token)).status, status);
      }
      assert.deepEqual([seen, made], [[], []]);
      assert.deepEqual(await tree(server.docs), files);
    });
  }

  it('is no GET: a GET changes nothing, even with a token', async (t) => {
    const { seen, made } = watchChanges(t);
    for (const path of ['removed', 'token', 'tokens', 'projects', 'previews/a', 'projects/a']) {
      const response = await server.get(`/api/${path}`, { 'X-Token': 'secret-owner' });
      assert.equal(response.status, 200, path);
    }
    assert.deepEqual([seen, made], [[], []]);
  });
});
