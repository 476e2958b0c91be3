import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { lectern, writeTree } from '../client/lectern.js';
import { DISCOVERY, KEYS, TestIssuer } from '../support/issuer.js';
import { run, SpawnedServer } from '../support/spawned-server.js';

const AUDIENCE = 'https://docs.example.org';

let home: string;
let issuer: TestIssuer;
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'lectern-job-tokens-'));
  issuer = await TestIssuer.start(home);
  await writeTree(join(home, 'site'), { 'index.html': 'widgets' });
});
after(async () => {
  await issuer.close();
  await rm(home, { recursive: true });
});

/** Writes a tokens file that trusts the issuer under these conditions. */
async function tokensFile(claims: object): Promise<string> {
  const file = join(home, 'tokens.json');
  const entry = { issuer: issuer.url, audience: AUDIENCE, claims, projects: ['{repository}'] };
  await writeFile(file, JSON.stringify({ tokens: {}, trusted_issuers: { github: entry } }));
  return file;
}

const push = async (url: string, env: NodeJS.ProcessEnv, ...more: readonly string[]) =>
  lectern(['push', join(home, 'site'), '--project', 'widgets', '--version', '1.0', ...more], {
    env: { LECTERN_URL: url, ...env },
  });

describe('A server with trusted_issuers', () => {
  it('does not start without conditions that name the owner of the jobs', async () => {
    const tokens = await tokensFile({ ref: 'refs/heads/main' });
    const { code, stderr, stdout } = await run(['-d', home, '--tokens', tokens, '--port', '0']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /trusted_issuers\.github\.claims: expected a claim that says whose jobs these are/);
  });

  it('accepts the push of a job that has only its identity', async () => {
    const tokens = await tokensFile({ repository_owner: 'acme' });
    const docs = await mkdtemp(join(home, 'docs-'));
    const trust = { NODE_EXTRA_CA_CERTS: issuer.certificate.file };
    const server = await SpawnedServer.start(['-d', docs, '--tokens', tokens, '--search', 'off'], trust);
    try {
      assert.deepEqual(issuer.requests, []);
      const token = await issuer.sign(issuer.claims(AUDIENCE));
      const done = await push(server.url, { LECTERN_ID_TOKEN: `${token}\n` });
      assert.equal(done.out, `${server.url}/widgets-1.0/\n`, done.notes);
      assert.deepEqual(issuer.requests, [DISCOVERY, KEYS]);
      assert.equal(await (await fetch(`${server.url}/widgets-1.0/`)).text(), 'widgets');
      const status = await lectern(['status'], { env: { LECTERN_URL: server.url, LECTERN_ID_TOKEN: token } });
      assert.match(status.out, /github \(from LECTERN_ID_TOKEN\)/);

      const foreign = await issuer.sign({ ...issuer.claims(AUDIENCE), repository_owner: 'mallory' });
      const refused = await push(server.url, { LECTERN_ID_TOKEN: foreign }, '--replace');
      assert.equal(refused.code, 5);
      assert.match(refused.notes, /match no entry of trusted_issuers/);
      // A token for the client takes precedence over the job's own.
      const given = await push(server.url, { LECTERN_ID_TOKEN: token, LECTERN_TOKEN: 'secret' }, '--replace');
      assert.match(given.notes, /The token is unknown/);
      const broken = await push(server.url, { LECTERN_ID_TOKEN: 'a\nb' }, '--replace');
      assert.equal(broken.code, 2);
      assert.match(broken.notes, /LECTERN_ID_TOKEN is not a token/);
      assert.equal(await (await fetch(`${server.url}/widgets-1.0/`)).text(), 'widgets');
    } finally {
      await server.stop();
    }
  });

  it('lets a job read the private projects it may change', async () => {
    const tokens = await tokensFile({ repository_owner: 'acme' });
    const docs = await mkdtemp(join(home, 'docs-'));
    const access = join(home, 'access.json');
    await writeFile(access, JSON.stringify({ default: { people: [] } }));
    const trust = { NODE_EXTRA_CA_CERTS: issuer.certificate.file };
    const server = await SpawnedServer.start(
      ['-d', docs, '--tokens', tokens, '--access', access, '--search', 'off'],
      trust,
    );
    try {
      const token = await issuer.sign(issuer.claims(AUDIENCE));
      const env = { LECTERN_URL: server.url, LECTERN_ID_TOKEN: token };
      for (let time = 0; time < 2; time += 1) {
        const done = await push(server.url, env, '--skip-existing');
        assert.equal(done.out, `${server.url}/widgets-1.0/\n`, done.notes);
      }
      assert.match((await lectern(['projects', 'widgets'], { env })).out, /^1\.0 /);
      const other = await issuer.sign({ ...issuer.claims(AUDIENCE), repository: 'acme/other' });
      const hidden = await lectern(['projects', 'widgets'], { env: { ...env, LECTERN_ID_TOKEN: other } });
      assert.equal(hidden.out, '');
      assert.equal((await fetch(`${server.url}/widgets-1.0/`)).status, 404);
      const wrong = await fetch(`${server.url}/api/projects`, { headers: { Authorization: 'Bearer a.b.c' } });
      assert.equal(wrong.status, 401);
    } finally {
      await server.stop();
    }
  });

  it("expects no identity where a proxy's login uses its header", async () => {
    const env = { LECTERN_ID_TOKEN: 'a.b.c', LECTERN_HEADERS: 'authorization: Basic dTpw' };
    const { code, notes } = await push('http://127.0.0.1:9', env);
    assert.equal(code, 2);
    assert.match(notes, /A token is required/);
  });
});
