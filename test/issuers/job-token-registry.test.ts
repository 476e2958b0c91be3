import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { exportSPKI, type JWTPayload } from 'jose';
import { JobTokenRegistry } from '../../src/adapters/issuers/job-token-registry.js';
import { MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import type { TrustedIssuer } from '../../src/domain/index.js';
import type { RegisteredTokens } from '../contracts/subjects.js';
import { tokenRegistryContract } from '../contracts/token-registry.js';
import {
  type Algorithm,
  DISCOVERY,
  KEYS,
  makeKey,
  signedWithPublicText,
  TestIssuer,
  unsigned,
} from '../support/issuer.js';
import { skipUnless, succeeds } from '../support/needs.js';
import { until } from '../support/until.js';

tokenRegistryContract(
  'JobTokenRegistry, with tokens of another registry',
  (tokens) => new JobTokenRegistry(withIssuers([], tokens)),
);

/** A registry of tokens that trusts issuers. */
function withIssuers(issuers: readonly TrustedIssuer[], tokens: RegisteredTokens = []) {
  return Object.assign(new MemoryTokenRegistry(tokens), { issuers });
}

const AUDIENCE = 'https://docs.example.org';
const PAUSE_MS = 60_000;
const HOUR_MS = 3_600_000;

const NEEDS = skipUnless(await succeeds('openssl', 'version'), 'openssl is not installed');

let directory: string;
let issuer: TestIssuer;
before(async () => {
  if ('skip' in NEEDS) return;
  directory = await mkdtemp(join(tmpdir(), 'lectern-issuer-'));
  issuer = await TestIssuer.start(directory);
});
after(async () => {
  if ('skip' in NEEDS) return;
  await issuer.close();
  await rm(directory, { recursive: true });
});
afterEach(() => {
  if ('skip' in NEEDS) return;
  issuer.instead.clear();
  issuer.published = [issuer.key.published];
  issuer.requests.length = 0;
});

function entry(address = issuer.url): TrustedIssuer {
  return {
    name: 'github',
    issuer: address,
    audience: AUDIENCE,
    claims: new Map([['repository_owner_id', ['1234']]]),
    grants: { projects: ['{repository}'] },
  };
}

/** A registry that trusts the issuer, with a clock that stands still unless it is moved. */
function registryWith(entries: readonly TrustedIssuer[] = [entry()]) {
  const reports: object[] = [];
  let time = 0;
  const tokens = withIssuers(entries, [{ name: 'ci', secret: 's' }]);
  const registry = new JobTokenRegistry(tokens, {
    ca: issuer.certificate.pem,
    report: (message, fields) => reports.push({ message, ...fields }),
    clock: () => time,
  });
  return {
    reports,
    trust: (issuers: readonly TrustedIssuer[]) => Object.assign(tokens, { issuers }),
    wait: (ms: number) => {
      time += ms;
    },
    ask: (secret: string, now = new Date()) => registry.authenticate({ scheme: 'bearer', secret }, now),
  };
}

/** Claims of a job, with others in their place; undefined leaves one out. */
const claims = (more: object = {}): JWTPayload => ({ ...issuer.claims(AUDIENCE), ...more });

/** Answers with headers and the beginning of a body, and never ends. */
const sendsForEver = (response: ServerResponse) => {
  response.writeHead(200);
  const send = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
    if (!response.destroyed) response.once('drain', send);
  };
  send();
};

describe('A registry that trusts an issuer', NEEDS, () => {
  for (const alg of ['RS256', 'ES256', 'EdDSA'] as const satisfies Algorithm[]) {
    it(`accepts a job with a token signed by ${alg}`, async () => {
      const key = await makeKey(alg);
      issuer.published = [issuer.key.published, key.published];
      const job = await registryWith().ask(await issuer.sign(claims(), key));
      assert.deepEqual(
        [job?.kind, job?.name, job?.subject],
        ['job', 'github', 'repo:acme/widgets:ref:refs/tags/v1.0'],
      );
      assert.deepEqual(job?.policy.grants.projects, ['widgets']);
    });
  }

  it('requests the keys once, for concurrent requests too', async () => {
    const { ask } = registryWith();
    const token = await issuer.sign(claims());
    await Promise.all([ask(token), ask(token), ask(token)]);
    await ask(token);
    assert.deepEqual(issuer.requests, [DISCOVERY, KEYS]);
  });

  it('accepts a token of an unnamed key while the issuer has one key', async () => {
    const { kid: _kid, ...published } = issuer.key.published;
    issuer.published = [published];
    const token = await issuer.sign(claims(), issuer.key, { kid: undefined });
    assert.equal((await registryWith().ask(token))?.name, 'github');
  });

  it('accepts an issuer whose address ends with a slash', async () => {
    const url = `${issuer.url}/`;
    issuer.json(DISCOVERY, { issuer: url, jwks_uri: issuer.url + KEYS });
    const job = await registryWith([entry(url)]).ask(await issuer.sign(claims({ iss: url })));
    assert.equal(job?.name, 'github');
    assert.deepEqual(issuer.requests, [DISCOVERY, KEYS]);
  });

  it('tolerates a clock difference of one minute', async () => {
    const { ask } = registryWith();
    const now = 1_800_000_000;
    const token = await issuer.sign(claims({ iat: now, nbf: now, exp: now + 300 }));
    const at = (seconds: number) => ask(token, new Date((now + seconds) * 1000));
    for (const seconds of [-60, 0, 300, 359]) assert.equal((await at(seconds))?.name, 'github');
    await assert.rejects(at(-61), { code: 'authentication_required', message: /not valid yet/ });
    await assert.rejects(at(360), { code: 'authentication_required', message: /expired/ });
  });

  it('ignores a token of an untrusted issuer, without a request', async () => {
    const { ask } = registryWith();
    for (const iss of ['https://evil.example', `${issuer.url}/`, '', undefined]) {
      assert.equal(await ask(await issuer.sign(claims({ iss }))), undefined);
    }
    for (const token of ['secret', 'a.b.c', '', '..', 's', `${'a'.repeat(5_000)}.b.c`]) {
      assert.equal(await ask(token), undefined);
    }
    assert.deepEqual(issuer.requests, []);
  });

  for (const [what, more, message] of [
    ['another audience', { aud: 'https://other.example.org' }, /audience/],
    ['no audience', { aud: undefined }, /audience|'aud'/],
    ['a past end', { exp: 1_000_000_000 }, /expired/],
    ['no end', { exp: undefined }, /'exp'/],
    ['an invalid end', { exp: 'tomorrow' }, /'exp'/],
    ['a future beginning', { nbf: 4_000_000_000 }, /not valid yet/],
    ['another owner', { repository_owner_id: '1235' }, /match no entry/],
    ['no owner', { repository_owner_id: undefined }, /match no entry/],
  ] as const) {
    it(`refuses a token with ${what}`, async () => {
      const asked = registryWith().ask(await issuer.sign(claims(more)));
      await assert.rejects(asked, { code: 'authentication_required', message });
    });
  }

  it('names the subject of a token that matches no entry, only after its signature is verified', async () => {
    const { ask } = registryWith();
    const stranger = claims({ repository_owner_id: '1', sub: 'repo:mallory/a' });
    await assert.rejects(ask(await issuer.sign(stranger)), { facts: { job: 'repo:mallory/a' } });
    await assert.rejects(ask(unsigned(stranger)), { facts: {} });
  });

  it('rejects a token without a signature, or signed with a well-known text', async () => {
    const { ask } = registryWith();
    const rsa = await makeKey('RS256');
    issuer.published = [
      issuer.key.published,
      rsa.published,
      { kty: 'oct', kid: 'o', k: 'AAAA', alg: 'HS256' },
    ];
    const publicKey = await crypto.subtle.importKey(
      'jwk',
      rsa.published as JsonWebKey,
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
      true,
      ['verify'],
    );
    const forged = [
      unsigned(claims()),
      unsigned(claims(), 'None'),
      unsigned(claims(), 'RS256'),
      unsigned(claims(), 'ES256'),
      signedWithPublicText(claims(), rsa, await exportSPKI(publicKey)),
      signedWithPublicText(claims(), { ...rsa, kid: 'o' }, '\0\0\0'),
      signedWithPublicText(claims(), issuer.key, JSON.stringify(issuer.key.published)),
    ];
    for (const token of forged) await assert.rejects(ask(token), { code: 'authentication_required' });
  });

  it('rejects a token of an unpublished key, also under the name of a published one', async () => {
    const { ask } = registryWith();
    const own = await makeKey('ES256');
    const withOwnKey = { kid: issuer.key.kid, jwk: own.published, jku: 'https://evil.example/keys' };
    for (const header of [{}, { kid: issuer.key.kid }, withOwnKey, { kid: undefined }]) {
      await assert.rejects(ask(await issuer.sign(claims(), own, header)), {
        code: 'authentication_required',
        message: /it is not signed with a key of its issuer/,
      });
    }
  });

  it('rejects a token changed after its signing', async () => {
    const { ask } = registryWith();
    const [header, , signature] = (await issuer.sign(claims())).split('.');
    const [, content] = unsigned(claims({ repository: 'acme/flask' })).split('.');
    await assert.rejects(ask(`${header}.${content}.${signature}`), { code: 'authentication_required' });
  });

  it('rejects other algorithms, and critical headers', async () => {
    const { ask } = registryWith();
    const pss = await makeKey('PS256');
    issuer.published = [issuer.key.published, pss.published];
    await assert.rejects(ask(await issuer.sign(claims(), pss)), { message: /RS256, ES256 or EdDSA/ });
    const [, content, signature] = (await issuer.sign(claims())).split('.');
    const header = Buffer.from(
      JSON.stringify({ alg: 'ES256', kid: issuer.key.kid, crit: ['exp'], exp: 1 }),
    ).toString('base64url');
    await assert.rejects(ask(`${header}.${content}.${signature}`), { code: 'authentication_required' });
  });

  it('treats the tokens of the other registry only as such', async () => {
    assert.equal(await registryWith().ask('s'), undefined);
  });

  it('follows the trusted issuers, and keeps their cached keys', async () => {
    const { ask, trust } = registryWith([]);
    const token = await issuer.sign(claims());
    assert.equal(await ask(token), undefined);
    trust([entry()]);
    assert.equal((await ask(token))?.name, 'github');
    trust([{ ...entry(), name: 'renamed' }]);
    assert.equal((await ask(token))?.name, 'renamed');
    trust([]);
    assert.equal(await ask(token), undefined);
    assert.deepEqual(issuer.requests, [DISCOVERY, KEYS]);
  });

  it('lets each issuer vouch for its own jobs only', async () => {
    const other = await TestIssuer.start(await mkdtemp(join(directory, 'other-')));
    try {
      const { ask } = registryWith([entry(), { ...entry(other.url), name: 'other' }]);
      const token = await issuer.sign(claims({ iss: other.url }));
      // The other issuer's certificate is not trusted here, so its keys cannot be fetched; the first one's are not tried.
      await assert.rejects(ask(token), { code: 'unavailable' });
      assert.deepEqual(issuer.requests, []);
    } finally {
      await other.close();
    }
  });
});

describe('The keys of an issuer', NEEDS, () => {
  it('are requested again when a token names another key, once a minute at most', async () => {
    const { ask, wait } = registryWith();
    await ask(await issuer.sign(claims()));
    const rotated = await makeKey('ES256');
    issuer.published = [rotated.published];
    const token = await issuer.sign(claims(), rotated);
    await assert.rejects(ask(token), { code: 'authentication_required' });
    assert.equal(issuer.requests.length, 2, 'not before the minute is over');
    wait(PAUSE_MS);
    assert.equal((await ask(token))?.name, 'github');
    assert.equal(issuer.requests.length, 4);
    await assert.rejects(ask(await issuer.sign(claims())), {
      message: /not signed with a key of its issuer/,
    });
    for (let time = 0; time < 20; time += 1) {
      const stranger = await issuer.sign(claims(), await makeKey('ES256'));
      await assert.rejects(ask(stranger), { code: 'authentication_required' });
    }
    assert.equal(issuer.requests.length, 4);
  });

  it('are requested again after an hour, so that a revoked key ends', async () => {
    const { ask, wait } = registryWith();
    const token = await issuer.sign(claims());
    await ask(token);
    issuer.published = [(await makeKey('ES256')).published];
    wait(HOUR_MS - 1);
    assert.equal((await ask(token))?.name, 'github');
    wait(1);
    await assert.rejects(ask(token), { message: /not signed with a key of its issuer/ });
  });

  it('are unavailable while the issuer is unreachable: 503, one request in five seconds, and one report', async () => {
    const { ask, wait, reports } = registryWith();
    issuer.instead.set(DISCOVERY, (response) => response.destroy());
    const token = await issuer.sign(claims());
    for (let time = 0; time < 5; time += 1) await assert.rejects(ask(token), { code: 'unavailable' });
    assert.equal(issuer.requests.length, 1);
    assert.equal(reports.length, 1);
    issuer.instead.clear();
    wait(5_000);
    assert.equal((await ask(token))?.name, 'github');
  });

  it('remain valid while the issuer is unreachable, and a token of an unknown key gets 503', async () => {
    const { ask, wait } = registryWith();
    const token = await issuer.sign(claims());
    await ask(token);
    issuer.instead.set(KEYS, (response) => response.writeHead(500).end());
    wait(PAUSE_MS);
    const other = await issuer.sign(claims(), await makeKey('ES256'));
    for (let time = 0; time < 3; time += 1) await assert.rejects(ask(other), { code: 'unavailable' });
    assert.equal(issuer.requests.length, 4);
    assert.equal((await ask(token))?.name, 'github');
  });

  for (const [what, prepare] of [
    ['that redirects', () => redirect(DISCOVERY)],
    ['whose keys redirect', () => redirect(KEYS)],
    ['with another name in its metadata', () => issuer.json(DISCOVERY, { issuer: 'https://evil.example' })],
    ['without an address of keys', () => issuer.json(DISCOVERY, { issuer: issuer.url })],
    ['whose keys are at another host', () => keysAt('https://127.0.0.1/keys')],
    ['whose keys are at another port', () => keysAt('https://localhost:1/keys')],
    ['whose keys come without TLS', () => keysAt(issuer.url.replace('https', 'http') + KEYS)],
    ['whose keys are a file', () => keysAt('file:///etc/passwd')],
    ['whose keys are no text', () => keysAt(7)],
    ['that answers with no JSON', () => issuer.instead.set(DISCOVERY, (response) => response.end('<p>'))],
    ['that answers with null', () => issuer.json(DISCOVERY, null)],
    ['without keys', () => issuer.json(KEYS, {})],
    ['whose keys are no keys', () => issuer.json(KEYS, { keys: [7] })],
    ['whose answer never ends', () => issuer.instead.set(DISCOVERY, sendsForEver)],
    ['whose keys never end', () => issuer.instead.set(KEYS, sendsForEver)],
    ['whose keys are too large', () => issuer.json(KEYS, { keys: [], more: 'x'.repeat(1024 ** 2) })],
    [
      'whose key cannot be read',
      () => {
        issuer.published = [{ ...issuer.key.published, x: 'AAAA' }];
      },
    ],
  ] as const) {
    it(`are unavailable from an issuer ${what}`, async () => {
      prepare();
      const { ask } = registryWith();
      await assert.rejects(ask(await issuer.sign(claims())), { code: 'unavailable' });
      assert.ok(!issuer.requests.includes('/elsewhere'));
    });
  }

  it('are unavailable from a silent issuer after ten seconds', async () => {
    issuer.instead.set(KEYS, () => {});
    const deadlines: number[] = [];
    const end = new AbortController();
    const registry = new JobTokenRegistry(withIssuers([entry()]), {
      ca: issuer.certificate.pem,
      deadline: (ms) => {
        deadlines.push(ms);
        return end.signal;
      },
    });
    const secret = await issuer.sign(claims());
    const asked = assert.rejects(registry.authenticate({ scheme: 'bearer', secret }, new Date()), {
      code: 'unavailable',
    });
    await until(async () => issuer.requests.length === 2);
    end.abort();
    await asked;
    assert.deepEqual(deadlines, [10_000]);
  });

  it('are unavailable from an issuer with an untrusted certificate', async () => {
    const registry = new JobTokenRegistry(withIssuers([entry()]));
    const secret = await issuer.sign(claims());
    await assert.rejects(registry.authenticate({ scheme: 'bearer', secret }, new Date()), {
      code: 'unavailable',
    });
    assert.deepEqual(issuer.requests, []);
  });
});

function redirect(path: string): void {
  issuer.instead.set(path, (response) => response.writeHead(302, { Location: '/elsewhere' }).end());
}

function keysAt(address: unknown): void {
  issuer.json(DISCOVERY, { issuer: issuer.url, jwks_uri: address });
}
