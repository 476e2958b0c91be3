import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';

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
    it(`says what the token ${token} may do, and never its secret`, async () => {
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
      const upload = await fetch(`${server.url}/api/upload`, { method: 'POST', headers });
      assert.deepEqual([response.status, upload.status], [401, 401]);
      assert.deepEqual(await response.json(), await upload.json());
    });
  }

  it('takes no token from the query', async () => {
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
