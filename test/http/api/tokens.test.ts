import assert from 'node:assert/strict';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { MemoryTokenRegistry } from '../../../src/adapters/memory/index.js';
import type { Metrics, ObservedRequest } from '../../../src/application/index.js';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { zipOf } from '../../support/zip-writer.js';

const TOKENS = new MemoryTokenRegistry([
  {
    ...{ name: 'team a', secret: 'secret-team', projects: ['a', 'pay-*'], read: ['handbook'] },
    ...{ allowOverwrite: true, existingProjectsOnly: true, allowTokens: true },
    expiresAt: new Date('2099-06-30T00:00:00.000Z'),
  },
  { name: 'admin', secret: 'secret-admin', allowDelete: true },
  { name: 'other', secret: 'secret-other', allowTokens: true },
  { name: 'other/x', secret: 'secret-other/x', allowTokens: true, projects: ['q'] },
]);

describe('/api/tokens', () => {
  let server: TestServer;
  const observed: ObservedRequest[] = [];
  const metrics: Metrics = {
    contentType: 'text/plain',
    observe: (request) => observed.push(request),
    text: async () => '',
  };
  before(async () => {
    server = await TestServer.start({ tokens: TOKENS, metrics });
    await server.upload('a-1.0-docs.zip');
  });
  after(async () => server.close());
  afterEach(async () => {
    for (const [token, maker] of [
      ['team', 'team%20a'],
      ['other', 'other'],
    ] as const) {
      for (const { name } of (await list(token)).tokens) {
        assert.equal((await revoke(`${maker}/${name.split('/').at(-1)}`, token)).status, 200);
      }
    }
  });

  const make = (body: object | string, token = 'team') =>
    server.fetch('/api/tokens', {
      method: 'POST',
      headers: { 'X-Token': `secret-${token}`, 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const list = async (token = 'team'): Promise<Json> =>
    (await server.get('/api/tokens', { 'X-Token': `secret-${token}` })).json() as Promise<Json>;
  const revoke = (path: string, token = 'team') =>
    server.fetch(`/api/tokens/${path}`, {
      method: 'DELETE',
      headers: { 'X-Token': `secret-${token}` },
    });
  const asked = (secret: string) => server.get('/api/token', { 'X-Token': secret });

  it('makes a token, shows its secret once, and returns its effective rights', async () => {
    const body = { name: 'ci', projects: ['a'], read: ['pay-x'], allow_overwrite: true, description: 'CI' };
    const response = await make(body);
    assert.deepEqual([response.status, response.headers.get('cache-control')], [201, 'no-store']);
    const { token, made_at, ...rest } = (await response.json()) as Json;
    const rights = {
      ...{ projects: ['a'], read: ['pay-x'], allow_overwrite: true, allow_delete: false },
      ...{ allow_manage: false, existing_projects_only: true, expires: '2099-06-30T00:00:00.000Z' },
    };
    assert.deepEqual(rest, { name: 'team a/ci', ...rights, description: 'CI' });
    assert.ok(Date.parse(made_at) > 0);
    const own = (await (await asked(token)).json()) as Json;
    assert.deepEqual(own, { name: 'team a/ci', ...rights });
    const listed = await list();
    assert.equal(listed.count, 1);
    assert.doesNotMatch(JSON.stringify(listed), new RegExp(token));
    assert.deepEqual(listed.tokens[0].description, 'CI');
    const stored = await readFile(join(server.docs, '.lectern', 'tokens.json'), 'utf8');
    assert.doesNotMatch(stored, new RegExp(token));
  });

  it('makes tokens that publish under their names until revoked', async () => {
    const { token } = (await (await make({ name: 'ci', projects: ['a'] })).json()) as Json;
    const form = () => ({ method: 'POST', headers: { 'X-Token': token } });
    assert.equal((await server.fetch('/api/upload', form())).status, 415);
    assert.equal((server.log.at(-1) as Json).token, 'team a/ci');
    const answer = (await (await revoke('team%20a/ci')).json()) as Json;
    assert.deepEqual(answer, { success: true, message: 'Revoked token team a/ci' });
    assert.equal((await server.fetch('/api/upload', form())).status, 401);
    assert.equal((await asked(token)).status, 401);
  });

  for (const [what, body, status, code, token] of [
    ['without allow_tokens', { name: 'x', projects: ['a'] }, 403, 'tokens_not_allowed', 'admin'],
    ['for a project that its maker lacks', { name: 'x', projects: ['b'] }, 403, 'tokens_not_allowed'],
    ['for every project', { name: 'x' }, 403, 'tokens_not_allowed'],
    [
      'with a right that its maker lacks',
      { name: 'x', projects: ['a'], allow_delete: true },
      403,
      'tokens_not_allowed',
    ],
    ['with a later end', { name: 'x', projects: ['a'], expires: '2100-01-01' }, 403, 'tokens_not_allowed'],
    ['that makes tokens', { name: 'x', projects: ['a'], allow_tokens: true }, 400, 'invalid_request'],
    ['with a misspelt field', { name: 'x', project: ['a'] }, 400, 'invalid_request', 'other'],
    ['that reads, without projects', { name: 'x', read: ['a'] }, 400, 'invalid_request', 'other'],
    ['with a wrong pattern', { name: 'x', projects: ['*'] }, 400, 'invalid_request', 'other'],
    ['with a wrong end', { name: 'x', projects: ['a'], expires: 'soon' }, 400, 'invalid_request'],
    ['without a name', { projects: ['a'] }, 400, 'invalid_request'],
    ['with a name with a slash', { name: 'x/y', projects: ['a'] }, 400, 'invalid_request'],
    ['that is no JSON', '{', 400, 'invalid_request'],
    ['with an unknown token', { name: 'x', projects: ['a'] }, 401, 'authentication_required', 'nobody'],
  ] as const) {
    it(`makes no token ${what}, and changes nothing`, async () => {
      const files = await tree(server.docs);
      const response = await make(body, token ?? 'team');
      const { error } = (await response.json()) as Json;
      assert.deepEqual([response.status, error], [status, code]);
      assert.deepEqual(await tree(server.docs), files);
    });
  }

  it('makes no second token of a name, and no token for a made token', async () => {
    const { token } = (await (await make({ name: 'ci', projects: ['a'] })).json()) as Json;
    const before = await list();
    const again = await make({ name: 'ci', projects: ['pay-*'] });
    assert.deepEqual([again.status, ((await again.json()) as Json).error], [409, 'name_taken']);
    const third = await server.fetch('/api/tokens', {
      method: 'POST',
      headers: { 'X-Token': token, 'Content-Type': 'application/json' },
      body: '{"name":"x","projects":["a"]}',
    });
    assert.deepEqual([third.status, ((await third.json()) as Json).error], [403, 'tokens_not_allowed']);
    assert.deepEqual((await list()).count, before.count);
  });

  it('lists and revokes tokens of the maker only, and reveals no others', async () => {
    const { token } = (await (await make({ name: 'ci', projects: ['a'] })).json()) as Json;
    assert.deepEqual(await list('other'), { tokens: [], count: 0 });
    for (const name of ['ci', 'none']) {
      const response = await revoke(`team%20a/${name}`, 'other');
      assert.deepEqual(
        [response.status, ((await response.json()) as Json).error],
        [403, 'tokens_not_allowed'],
      );
    }
    const missing = await revoke('team%20a/none');
    assert.deepEqual([missing.status, ((await missing.json()) as Json).error], [404, 'token_not_found']);
    assert.equal((await asked(token)).status, 200);
  });

  it('distinguishes a made token from a file token with the same prefix, whatever the address', async () => {
    const body = { name: 'y', projects: ['q'] };
    const { token, name } = (await (await make(body, 'other/x')).json()) as Json;
    assert.equal(name, 'other/x/y');
    assert.deepEqual(await list('other'), { tokens: [], count: 0 });
    const files = await tree(server.docs);
    for (const [path, secret, status, code] of [
      ['other/x%2Fy', 'other', 404, 'token_not_found'],
      ['other%2Fx/y', 'other', 403, 'tokens_not_allowed'],
      ['other%2Fx%2Fy', 'other', 404, 'not_found'],
      ['other/x/y', 'other', 404, 'not_found'],
    ] as const) {
      const response = await revoke(path, secret);
      assert.deepEqual([response.status, ((await response.json()) as Json).error], [status, code], path);
    }
    assert.deepEqual(await tree(server.docs), files);
    assert.equal((await asked(token)).status, 200);
    assert.equal((await revoke('other%2Fx/y', 'other/x')).status, 200);
    assert.equal((await asked(token)).status, 401);
  });

  it('logs the maker of a made token, and records it with publications', async () => {
    const { token } = (await (await make({ name: 'ci', projects: ['b'] }, 'other')).json()) as Json;
    const upload = async (name: string, secret: string) => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': name }))]), `${name}-docs.zip`);
      const sent = { method: 'POST', body, headers: { 'X-Token': secret } };
      assert.equal((await server.fetch('/api/upload', sent)).status, 201);
      const file = join(server.docs, await readlink(join(server.docs, name)), '../version.json');
      const record = JSON.parse(await readFile(file, 'utf8')) as Json;
      const line = server.log.at(-1) as Json;
      return [record, line].map(({ token, maker }) => [token, maker]);
    };
    const [made, own] = [
      ['other/ci', 'other'],
      ['other', undefined],
    ];
    observed.splice(0);
    assert.deepEqual(await upload('b-1.0', token), [made, made]);
    assert.deepEqual(await upload('b-2.0', 'secret-other'), [own, own]);
    // Metrics have the tokens of the file only, by name.
    assert.deepEqual(
      observed.map((each) => each.token),
      [undefined, 'other'],
    );
  });

  it('logs the maker of an expired made token', async (t) => {
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const { token } = (await (await make({ name: 'ci', projects: ['b'], expires }, 'other')).json()) as Json;
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse(expires) });
    assert.equal((await asked(token)).status, 401);
    const { token: name, maker, refusal } = server.log.at(-1) as Json;
    assert.deepEqual([name, maker, refusal], ['other/ci', 'other', 'authentication_required']);
  });
});
