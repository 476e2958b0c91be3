import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { JobTokenRegistry } from '../../../src/adapters/issuers/job-token-registry.js';
import { JsonTokenRegistry } from '../../../src/adapters/json/index.js';
import { DISCOVERY, makeKey, TestIssuer } from '../../support/issuer.js';
import { skipUnless, succeeds } from '../../support/needs.js';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { until } from '../../support/until.js';
import { zipOf } from '../../support/zip-writer.js';

const AUDIENCE = 'https://docs.example.org';

const NEEDS = skipUnless(await succeeds('openssl', 'version'), 'openssl is not installed');

let directory: string;
let issuer: TestIssuer;
let server: TestServer;
before(async () => {
  if ('skip' in NEEDS) return;
  directory = await mkdtemp(join(tmpdir(), 'lectern-jobs-'));
  issuer = await TestIssuer.start(directory);
  const entry = { issuer: issuer.url, audience: AUDIENCE, projects: ['{repository}'] };
  const owner = { repository_owner_id: '1234' };
  const file = {
    tokens: { admin: { token: 'secret-admin' } },
    trusted_issuers: {
      releases: { ...entry, claims: { ...owner, ref: 'refs/tags/*' }, allow_overwrite: true },
      previews: { ...entry, claims: { ...owner, ref: 'refs/pull/*' }, previews_only: true },
      ended: { ...entry, claims: { ...owner, ref: 'refs/heads/old' }, expires: '2020-01-01' },
    },
  };
  const tokens = JsonTokenRegistry.parse(JSON.stringify(file));
  server = await TestServer.start({
    tokens: new JobTokenRegistry(tokens, { ca: issuer.certificate.pem }),
  });
});
after(async () => {
  if ('skip' in NEEDS) return;
  await server.close();
  await issuer.close();
  await rm(directory, { recursive: true });
});
afterEach(() => issuer?.instead.clear());

const tokenOf = async (more: object = {}) => issuer.sign({ ...issuer.claims(AUDIENCE), ...more });

interface Sent {
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Uploads a small site. */
async function upload(name: string, { headers = {}, query = '', fields = {} }: Sent): Promise<Response> {
  server.log.length = 0;
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': name }))]), `${name}-docs.zip`);
  return server.fetch(`/api/upload${query}`, { method: 'POST', body: form, headers });
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** The line of the log about the last upload, once it is there: the one before may come late, with another status. */
async function logged(status: number): Promise<Json> {
  const line = () =>
    (server.log as Json[]).find((each) => each.path === '/api/upload' && each.status === status);
  await until(async () => line() !== undefined);
  return line();
}

describe('A job with a token of a trusted issuer', NEEDS, () => {
  it('publishes previews where its entry says so', async () => {
    const token = await tokenOf({ ref: 'refs/pull/7/merge' });
    assert.equal((await upload('widgets~pr-7', { headers: bearer(token) })).status, 201);
    const refused = await upload('widgets-7.0', { headers: bearer(token) });
    assert.equal(((await refused.json()) as Json).error, 'version_not_allowed');
  });

  it('is told its rights, and never more', async () => {
    const response = await server.get('/api/token', bearer(await tokenOf()));
    const told = (await response.json()) as Json;
    assert.deepEqual([told.name, told.projects, told.allow_overwrite], ['releases', ['widgets'], true]);
    assert.equal(told.allow_delete, false);
  });

  for (const [what, more, status, error] of [
    ['of another project', { repository: 'acme/flask' }, 403, 'project_not_allowed'],
    ['whose repository is ..', { repository: 'acme/..' }, 403, 'project_not_allowed'],
    ['whose repository ends with /', { repository: 'acme/widgets/' }, 403, 'project_not_allowed'],
    ['whose repository is a pattern', { repository: 'acme/widge*' }, 403, 'project_not_allowed'],
    ['without a repository', { repository: undefined }, 403, 'project_not_allowed'],
    ['of another owner', { repository_owner_id: '1' }, 401, 'authentication_required'],
    ['of a branch', { ref: 'refs/heads/main' }, 401, 'authentication_required'],
    ['for another server', { aud: 'https://other.example.org' }, 401, 'authentication_required'],
    ['of another issuer', { iss: 'https://evil.example' }, 401, 'authentication_required'],
    ['that has ended', { exp: 1_000_000_000 }, 401, 'authentication_required'],
    ['that has not begun', { nbf: 4_000_000_000 }, 401, 'authentication_required'],
    ['whose entry has ended', { ref: 'refs/heads/old' }, 401, 'authentication_required'],
  ] as const) {
    it(`is refused with a token ${what}, and nothing changes`, async () => {
      const files = await tree(server.docs);
      const response = await upload('widgets-2.0', { headers: bearer(await tokenOf(more)) });
      assert.deepEqual([response.status, ((await response.json()) as Json).error], [status, error]);
      assert.deepEqual(await tree(server.docs), files);
    });
  }

  it('is refused with a self-signed token, and nothing changes', async () => {
    const files = await tree(server.docs);
    const token = await issuer.sign(issuer.claims(AUDIENCE), await makeKey('ES256'), { kid: issuer.key.kid });
    const response = await upload('widgets-2.0', { headers: bearer(token) });
    assert.equal(response.status, 401);
    assert.deepEqual(await tree(server.docs), files);
  });

  it('is authenticated by the header alone: not by a query, a form or a cookie', async () => {
    const token = await tokenOf();
    const files = await tree(server.docs);
    for (const sent of [
      { query: `?access_token=${token}` },
      { query: `?authorization=Bearer%20${token}` },
      { fields: { access_token: token, authorization: `Bearer ${token}` } },
      { headers: { Cookie: `access_token=${token}; Authorization=Bearer ${token}` } },
      { headers: { 'X-Token': token } },
      { headers: { 'Proxy-Authorization': `Bearer ${token}` } },
    ]) {
      assert.equal((await upload('widgets-3.0', sent)).status, 401, JSON.stringify(sent));
    }
    assert.deepEqual(await tree(server.docs), files);
  });

  // After those that compare the files: what was replaced is removed a few seconds later.
  it('publishes and replaces versions of the project named like its repository', async () => {
    const token = await tokenOf();
    assert.equal((await upload('widgets-1.0', { headers: bearer(token) })).status, 201);
    assert.equal((await upload('widgets-1.0', { headers: bearer(token) })).status, 200);
    assert.equal(await (await server.get('/widgets-1.0/')).text(), 'widgets-1.0');
    const line = await logged(200);
    assert.deepEqual([line.token, line.job], ['releases', 'repo:acme/widgets:ref:refs/tags/v1.0']);
    assert.doesNotMatch(JSON.stringify(server.log), new RegExp(token.split('.')[2] ?? 'none'));
  });

  it('is ignored beside X-Token, whichever token is right', async () => {
    const right = bearer(await tokenOf());
    const wrong = bearer('a.b.c');
    const both = { ...right, 'X-Token': 'secret-nobody' };
    assert.equal((await upload('widgets-4.0', { headers: both })).status, 401);
    assert.equal(
      (await upload('other-1.0', { headers: { ...right, 'X-Token': 'secret-admin' } })).status,
      201,
    );
    assert.equal((await logged(201)).token, 'admin');
    assert.equal(
      (await upload('other-2.0', { headers: { ...wrong, 'X-Token': 'secret-admin' } })).status,
      201,
    );
  });

  it('reads public projects with a wrong token', async () => {
    for (const path of ['/', '/other-1.0/', '/api/projects', '/api/download/other/1.0']) {
      assert.equal((await server.get(path, bearer('a.b.c'))).status, 200, path);
    }
  });

  it('is refused temporarily while its issuer is unreachable, and nothing changes', async () => {
    const away = await TestIssuer.start(await mkdtemp(join(directory, 'away-')));
    const entry = {
      issuer: away.url,
      audience: AUDIENCE,
      claims: { repository_owner: 'acme' },
      projects: ['{repository}'],
    };
    const tokens = JsonTokenRegistry.parse(JSON.stringify({ tokens: {}, trusted_issuers: { away: entry } }));
    const other = await TestServer.start({
      tokens: new JobTokenRegistry(tokens, { ca: away.certificate.pem }),
    });
    try {
      away.instead.set(DISCOVERY, (response) => response.destroy());
      const files = await tree(other.docs);
      const token = await away.sign(away.claims(AUDIENCE));
      const response = await other.fetch('/api/delete/a/1.0', {
        method: 'DELETE',
        headers: bearer(token),
      });
      assert.equal(response.status, 503);
      assert.match(response.headers.get('Retry-After') ?? '', /^\d+$/);
      assert.equal(((await response.json()) as Json).error, 'unavailable');
      assert.deepEqual(await tree(other.docs), files);
    } finally {
      await other.close();
      await away.close();
    }
  });

  it('is logged without control characters, and in a bounded length', async () => {
    const sub = `repo:acme\n{"level":60}\u001b[2J\u202e${'x'.repeat(5_000)}`;
    assert.equal((await upload('widgets-5.0', { headers: bearer(await tokenOf({ sub })) })).status, 201);
    const { job } = await logged(201);
    assert.match(job, /^repo:acme\\u000a\{"level":60\}\\u001b\[2J\\u202exxx/);
    assert.ok(job.length < 1_000);
    const stranger = { sub: 'repo:mallory/a', repository_owner_id: '1' };
    assert.equal((await upload('a-1.0', { headers: bearer(await tokenOf(stranger)) })).status, 401);
    assert.equal((await logged(401)).job, 'repo:mallory/a');
  });
});
