import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MemoryTokenRegistry } from '../../../src/adapters/memory/index.js';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { until } from '../../support/until.js';

describe('GET /api/token', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(async () => server.close());

  const ask = (secret: string) => server.get('/api/token', { 'X-Token': secret });

  for (const [token, rights] of [
    ['admin', { allow_overwrite: true, allow_delete: true }],
    ['ci', {}],
    ['scoped', { projects: ['a', 'lib-2'], allow_delete: true }],
    ['existing', { existing_projects_only: true }],
    ['manager', { projects: ['a'], allow_manage: true }],
  ] as const) {
    it(`returns the rights of the token ${token}, and never its secret`, async () => {
      const response = await ask(`secret-${token}`);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      const text = await response.text();
      assert.doesNotMatch(text, /secret/);
      assert.deepEqual(JSON.parse(text), {
        name: token,
        allow_overwrite: false,
        allow_delete: false,
        existing_projects_only: false,
        allow_manage: false,
        ...rights,
      });
    });
  }

  for (const [what, headers] of [
    ['no token', {}],
    ['an empty token', { 'X-Token': '' }],
    ['an unknown token', { 'X-Token': 'secret-nobody' }],
    ['the name of a token', { 'X-Token': 'admin' }],
    ['another spelling of a token', { 'X-Token': 'SECRET-ADMIN' }],
  ] as const) {
    it(`is refused as an upload is with ${what}`, async () => {
      const response = await server.get('/api/token', headers);
      const upload = await server.fetch('/api/upload', { method: 'POST', headers });
      assert.deepEqual([response.status, upload.status], [401, 401]);
      assert.deepEqual(await response.json(), await upload.json());
    });
  }

  it('ignores a token in the query', async () => {
    assert.equal((await server.get('/api/token?token=secret-admin&X-Token=secret-admin')).status, 401);
  });

  it('is refused by a server without tokens', async () => {
    const readOnly = await TestServer.start({ withTokens: false });
    const response = await readOnly.get('/api/token', { 'X-Token': 'secret-admin' });
    assert.equal(response.status, 401);
    assert.equal(((await response.json()) as Json).error, 'authentication_required');
    await readOnly.close();
  });

  it('is logged with the name of the token', async () => {
    await ask('secret-scoped');
    const { path, token } = server.log.at(-1) as Json;
    assert.deepEqual([path, token], ['/api/token', 'scoped']);
  });
});

describe('A token with an end', () => {
  const END = new Date('2100-01-01T00:00:00.000Z');
  let server: TestServer;
  before(async () => {
    const tokens = new MemoryTokenRegistry([
      { name: 'lasting', secret: 'secret-lasting', expiresAt: END },
      { name: 'past', secret: 'secret-past', allowDelete: true, expiresAt: new Date('2020-01-01T00:00:00Z') },
    ]);
    server = await TestServer.start({ tokens });
  });
  after(async () => server.close());

  it('is told its end', async () => {
    const answer = await server.get('/api/token', { 'X-Token': 'secret-lasting' });
    assert.equal(((await answer.json()) as Json).expires, END.toISOString());
  });

  it('changes nothing after its end, and is named in the log', async () => {
    assert.equal((await server.upload('a-1.0-docs.zip', undefined, 'lasting')).status, 201);
    const files = await tree(server.docs);
    for (const answer of [
      await server.upload('a-2.0-docs.zip', undefined, 'past'),
      await server.delete('a/1.0', 'past'),
      await server.get('/api/token', { 'X-Token': 'secret-past' }),
    ]) {
      assert.equal(answer.status, 401);
      const { error, message } = (await answer.json()) as Json;
      assert.equal(error, 'authentication_required');
      assert.match(message, /'past' has expired, on 2020-01-01/);
    }
    await until(() => server.log.slice(-3).every((line) => (line as Json).token === 'past'));
    assert.deepEqual(await tree(server.docs), files);
  });
});

it('tells a token its readable projects, and whether it may make tokens', async () => {
  const tokens = new MemoryTokenRegistry([
    { name: 'team', secret: 'secret-team', projects: ['a'], read: ['handbook'], allowTokens: true },
  ]);
  const server = await TestServer.start({ tokens });
  try {
    const told = (await (await server.get('/api/token', { 'X-Token': 'secret-team' })).json()) as Json;
    assert.deepEqual([told.projects, told.read, told.allow_tokens], [['a'], ['handbook'], true]);
  } finally {
    await server.close();
  }
});

it('refuses a version change by a previews-only token', async () => {
  const rights = { allowOverwrite: true, allowDelete: true, allowManage: true };
  const tokens = new MemoryTokenRegistry([
    { name: 'admin', secret: 'secret-admin' },
    { name: 'pr', secret: 'secret-pr', previewsOnly: true, ...rights },
  ]);
  const server = await TestServer.start({ tokens });
  try {
    assert.equal((await server.upload('a-1.0-docs.zip')).status, 201);
    const files = await tree(server.docs);
    for (const [answer, code] of [
      [await server.upload('a-1.0-docs.zip', undefined, 'pr'), 'version_not_allowed'],
      [await server.upload('a-2.0-docs.zip', undefined, 'pr'), 'version_not_allowed'],
      [await server.delete('a/1.0', 'pr'), 'delete_not_allowed'],
      [await server.restore('a/1.0', 'pr'), 'manage_not_allowed'],
      [await server.get('/api/removed', { 'X-Token': 'secret-pr' }), 'manage_not_allowed'],
    ] as const) {
      assert.deepEqual([answer.status, ((await answer.json()) as Json).error], [403, code]);
    }
    assert.deepEqual(await tree(server.docs), files);
    const told = await server.get('/api/token', { 'X-Token': 'secret-pr' });
    assert.equal(((await told.json()) as Json).previews_only, true);
    assert.equal((await server.upload('a~pr-1-docs.zip', undefined, 'pr')).status, 201);
    assert.equal((await server.delete('a/pr-1', 'pr', 'previews')).status, 200);
  } finally {
    await server.close();
  }
});
