import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';

describe('Deleted or replaced versions', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await TestServer.start({ keepRemovedMs: 7 * 24 * 3_600_000 });
    await server.upload('a-1.0-docs.zip', { 'index.html': 'first' });
    await server.upload('b-1.0-docs.zip');
  });
  afterEach(() => server.close());

  const removed = async (token = 'manager') =>
    (await (await server.get('/api/removed', { 'X-Token': `secret-${token}` })).json()) as Json;
  const page = async () => (await server.get('/a-1.0/')).text();

  it('disappear for readers at once, and are listed for a week to tokens that may restore them', async () => {
    await server.upload('a-1.0-docs.zip', { 'index.html': 'second' });
    await server.delete('a/1.0');
    await server.delete('b/1.0');
    for (const path of ['/a-1.0/', '/a-1.0-docs.zip', '/api/download/a/1.0']) {
      assert.equal((await server.get(path)).status, 404, path);
    }
    assert.deepEqual((await server.json('/api/projects')).projects, []);
    const { removed: list, count } = await removed();
    assert.equal(count, 2);
    assert.deepEqual(
      list.map(({ project, version, reason }: Json) => [project, version, reason]),
      [
        ['a', '1.0', 'deleted'],
        ['a', '1.0', 'replaced'],
      ],
    );
    assert.equal(Date.parse(list[0].expires_at) - Date.parse(list[0].removed_at), 7 * 24 * 3_600_000);
    assert.ok(list[0].archive_bytes > 0);
  });

  it('are hidden from tokens without allow_manage, and from caches', async () => {
    for (const [token, status, error] of [
      ['admin', 403, 'manage_not_allowed'],
      ['nobody', 401, 'authentication_required'],
    ] as const) {
      const response = await server.get('/api/removed', { 'X-Token': `secret-${token}` });
      assert.deepEqual([response.status, ((await response.json()) as Json).error], [status, error]);
    }
    const { headers } = await server.get('/api/removed', { 'X-Token': 'secret-manager' });
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  it('can be restored with unchanged pages', async () => {
    await server.delete('a/1.0');
    const response = await server.restore('a/1.0');
    assert.deepEqual([response.status, response.headers.get('location')], [201, '/a-1.0/']);
    assert.deepEqual(await response.json(), {
      success: true,
      message: 'Restored a 1.0 at /a-1.0/',
      project: 'a',
      version: '1.0',
      directory: 'a-1.0',
      url: '/a-1.0/',
    });
    assert.equal(await page(), 'first');
    assert.equal((await removed()).count, 0);
  });

  it('replace an existing version only on request, undoably', async () => {
    await server.upload('a-1.0-docs.zip', { 'index.html': 'second' });
    const refused = await server.restore('a/1.0');
    assert.deepEqual([refused.status, ((await refused.json()) as Json).error], [409, 'version_exists']);
    assert.equal(await page(), 'second');
    assert.equal((await server.restore('a/1.0?replace=true', 'owner')).status, 200);
    assert.equal(await page(), 'first');
    assert.equal((await server.restore('a/1.0?replace=true', 'owner')).status, 200);
    assert.equal(await page(), 'second');
  });

  it('are not restored twice: the refusal mentions the restoration, and changes nothing', async () => {
    await server.delete('a/1.0');
    assert.equal((await server.restore('a/1.0')).status, 201);
    const before = await tree(server.docs);
    const response = await server.restore('a/1.0');
    const { error, message } = (await response.json()) as Json;
    assert.deepEqual([response.status, error], [404, 'version_not_found']);
    assert.match(message, /^'a' '1\.0' cannot be restored: .*already restored/);
    assert.deepEqual(await tree(server.docs), before);
  });

  it('are restored by their revision when there are several', async () => {
    await server.upload('a-1.0-docs.zip', { 'index.html': 'second' });
    await server.delete('a/1.0');
    const oldest = (await removed()).removed.at(-1).revision;
    assert.equal((await server.restore(`a/1.0?revision=${oldest}`)).status, 201);
    assert.equal(await page(), 'first');
  });

  for (const [title, path, token, status, error] of [
    ['without a token', 'a/1.0', 'nobody', 401, 'authentication_required'],
    ['without allow_manage', 'a/1.0', 'admin', 403, 'manage_not_allowed'],
    ['of another project', 'b/1.0', 'manager', 403, 'project_not_allowed'],
    ['of a version that never existed', 'a/2.0', 'manager', 404, 'version_not_found'],
    ['of an unknown revision', 'a/1.0?revision=x', 'manager', 404, 'version_not_found'],
    ['with an invalid flag', 'a/1.0?replace=1', 'manager', 400, 'invalid_request'],
  ] as const) {
    it(`are unchanged by a request ${title}`, async () => {
      await server.delete('a/1.0');
      const before = await tree(server.docs);
      const response = await server.restore(path, token);
      assert.deepEqual([response.status, ((await response.json()) as Json).error], [status, error]);
      assert.deepEqual(await tree(server.docs), before);
    });
  }

  it('replace a version only with allow_overwrite, as an upload does', async () => {
    await server.upload('a-1.0-docs.zip', { 'index.html': 'second' });
    const before = await tree(server.docs);
    const response = await server.restore('a/1.0?replace=true', 'manager');
    const { error, message } = (await response.json()) as Json;
    assert.deepEqual([response.status, error], [409, 'version_exists']);
    assert.match(message, /'manager' may not overwrite it.*'allow_overwrite'/);
    assert.deepEqual(await tree(server.docs), before);
    await server.delete('a/1.0');
    assert.equal((await server.restore('a/1.0?replace=true', 'manager')).status, 201);
    assert.equal(await page(), 'second');
  });

  it('are restored into a removed project, but not by a token with existing_projects_only', async () => {
    await server.upload('a-2.0-docs.zip');
    await server.delete('a/1.0');
    assert.equal((await server.restore('a/1.0', 'keeper')).status, 201);
    for (const label of ['1.0', '2.0']) await server.delete(`a/${label}`);
    const before = await tree(server.docs);
    const response = await server.restore('a/1.0', 'keeper');
    assert.deepEqual(
      [response.status, ((await response.json()) as Json).error],
      [403, 'project_not_existing'],
    );
    assert.deepEqual(await tree(server.docs), before);
    assert.equal((await server.restore('a/1.0', 'manager')).status, 201);
  });

  it('cannot be restored once they are purged', async () => {
    await server.upload('a-1.0-docs.zip', { 'index.html': 'second' });
    await server.delete('a/1.0');
    assert.equal((await server.delete('a/1.0?purge=true')).status, 200);
    assert.equal((await removed()).count, 0);
    assert.equal((await server.restore('a/1.0')).status, 404);
  });

  it('are restored only within the free disk space', async () => {
    await server.delete('a/1.0');
    const cramped = await TestServer.start({
      docs: server.docs,
      keepRemovedMs: 3_600_000,
      limits: { minFreeBytes: Number.MAX_SAFE_INTEGER },
    });
    try {
      const response = await cramped.restore('a/1.0');
      assert.deepEqual(
        [response.status, ((await response.json()) as Json).error],
        [507, 'insufficient_storage'],
      );
      assert.equal((await cramped.get('/a-1.0/')).status, 404);
      assert.equal((await removed()).count, 1);
    } finally {
      await cramped.close();
    }
  });
});
