import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';

describe('A deletion', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    for (const name of ['a-1.0', 'a-2.0', 'a-b-1.0', 'b-1.0', 'lib-2-1.0.0'])
      await server.upload(`${name}-docs.zip`);
  });
  after(async () => server.close());

  const REFUSALS: readonly [path: string, token: string | null, status: number, error: string][] = [
    ['a/1.0', null, 401, 'authentication_required'],
    ['a/1.0', 'nobody', 401, 'authentication_required'],
    ['a/1.0', 'ci', 403, 'delete_not_allowed'],
    ['nothing/1.0', 'ci', 403, 'delete_not_allowed'],
    ['b/1.0', 'scoped', 403, 'project_not_allowed'],
    ['a-b/1.0', 'scoped', 403, 'project_not_allowed'],
    ['nothing/1.0', 'scoped', 403, 'project_not_allowed'],
    ['nothing/1.0', 'admin', 404, 'project_not_found'],
    ['a/3.0', 'admin', 404, 'version_not_found'],
    ['a/latest', 'admin', 404, 'version_not_found'],
    ['a/b-1.0', 'admin', 404, 'version_not_found'],
    ['a/b-1.0', 'scoped', 404, 'version_not_found'],
    ['lib/2-1.0.0', 'admin', 404, 'project_not_found'],
    ['a/%2e%2e%2fa-1.0', 'admin', 404, 'version_not_found'],
    ['a/1.0%00', 'admin', 404, 'version_not_found'],
    ['a/%E0%A4%A', 'admin', 404, 'version_not_found'],
    ['..%2f..%2fetc/passwd', 'admin', 404, 'project_not_found'],
    ['__proto__/constructor', 'admin', 404, 'project_not_found'],
    ['A/1.0', 'admin', 404, 'project_not_found'],
  ];
  for (const [path, token, status, error] of REFUSALS) {
    it(`is refused with ${error} for ${path} by ${token ?? 'nobody'}, and nothing changes`, async () => {
      const before = await tree(server.docs);
      const response = await server.delete(path, token);
      const body = (await response.json()) as Json;
      assert.deepEqual([response.status, body.success, body.error], [status, false, error]);
      assert.deepEqual(await tree(server.docs), before);
    });
  }

  it('removes the version and keeps all other versions', async () => {
    const response = await server.delete('a/1.0');
    assert.equal(response.status, 200);
    assert.deepEqual(
      { ...((await response.json()) as Json), message: '' },
      { success: true, message: '', project: 'a', version: '1.0', directory: 'a-1.0' },
    );
    for (const path of ['/a-1.0/', '/a-1.0-docs.zip', '/api/download/a/1.0']) {
      assert.equal((await server.get(path)).status, 404, path);
    }
    for (const path of ['/a-2.0/', '/a-b-1.0/', '/a-2.0-docs.zip']) {
      assert.equal((await server.get(path)).status, 200, path);
    }
  });

  it('reports that it is permanent, and accepts only true or false for purge', async () => {
    await server.upload('c-1.0-docs.zip');
    const before = await tree(server.docs);
    for (const query of ['purge', 'purge=1', 'purge=true&purge=true', 'purge=TRUE']) {
      const response = await server.delete(`c/1.0?${query}`);
      assert.deepEqual([response.status, ((await response.json()) as Json).error], [400, 'invalid_request']);
    }
    for (const token of [null, 'ci'] as const) {
      assert.equal((await server.delete('c/1.0?purge=true', token)).ok, false);
    }
    assert.deepEqual(await tree(server.docs), before);
    const done = await server.delete('c/1.0?purge=true', 'deleter');
    assert.deepEqual(
      [done.status, ((await done.json()) as Json).message],
      [200, 'Deleted c 1.0 permanently'],
    );
    assert.equal((await server.get('/c-1.0/')).status, 404);
    assert.equal((await server.delete('c/1.0?purge=true')).status, 404);
  });

  it('removes a project with its last version', async () => {
    assert.equal((await server.delete('b/1.0', 'deleter')).status, 200);
    assert.equal((await server.json('/api/projects?search=b')).projects[0].directory_name, 'a-b');
    const again = await server.delete('b/1.0', 'deleter');
    assert.equal(((await again.json()) as Json).error, 'project_not_found');
  });
});
