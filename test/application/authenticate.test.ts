import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import { Authenticate, type Credential } from '../../src/application/index.js';
import { jobActor, tokenActor } from '../../src/domain/index.js';

const credential = (secret: string) => ({ scheme: 'token', secret }) as const;

describe('Authenticating a change', () => {
  it('passes the credential and the time to the registry, and awaits its answer', async () => {
    const actor = tokenActor('ci');
    const now = new Date(7);
    const asked: unknown[] = [];
    const authenticate = new Authenticate({
      isConfigured: true,
      authenticate: async (...request) => {
        asked.push(request);
        return actor;
      },
      holders: () => [actor],
    });
    assert.equal(await authenticate.execute(credential('s'), now), actor);
    assert.deepEqual(asked, [[credential('s'), now]]);
    assert.equal(authenticate.isPossible, true);
  });

  for (const [what, tokens, given, message] of [
    ['an unknown credential', [], credential('s'), /is unknown/],
    ['an empty credential', [], credential(''), /A token is required/],
    ['no credential', [], undefined, /A token is required/],
    ['any credential on a server without tokens', undefined, credential('s'), /No tokens are configured/],
    ['a missing credential on a server without tokens', undefined, undefined, /No tokens are configured/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const authenticate = new Authenticate(new MemoryTokenRegistry(tokens));
      await assert.rejects(authenticate.execute(given), { code: 'authentication_required', message });
      assert.equal(authenticate.isPossible, tokens !== undefined);
    });
  }

  it('refuses an expired token from its end on, and names the token', async () => {
    const expiresAt = new Date(1000);
    const authenticate = new Authenticate(new MemoryTokenRegistry([{ name: 'ci', secret: 's', expiresAt }]));
    assert.equal((await authenticate.execute(credential('s'), new Date(999))).name, 'ci');
    await assert.rejects(authenticate.execute(credential('s'), expiresAt), {
      code: 'authentication_required',
      message: /'ci' has expired/,
      facts: { token: 'ci' },
    });
  });
});

describe('Authenticating a reader', () => {
  const expiresAt = new Date(1000);
  const job = jobActor('github', 'repo:acme/a', {});
  const tokens = new MemoryTokenRegistry([
    { name: 'ci', secret: 's' },
    { name: 'like-a-jwt', secret: 'a.b.c' },
    { name: 'ended', secret: 'e', expiresAt },
  ]);
  /** Credentials that the registry was asked about, other than its own tokens. */
  const jobs: Credential[] = [];
  const authenticate = new Authenticate({
    isConfigured: true,
    authenticate: async (asked) => {
      if (asked.scheme === 'token') return tokens.authenticate(asked);
      jobs.push(asked);
      return asked.secret === 'h.p.s' ? job : undefined;
    },
    holders: () => [],
  });

  for (const [scheme, secret, name] of [
    ['token', 's', 'ci'],
    ['bearer', 's', 'ci'],
    ['password', 's', 'ci'],
    ['bearer', 'a.b.c', 'like-a-jwt'],
    ['bearer', 'h.p.s', 'github'],
    ['password', 'h.p.s', undefined],
    ['password', 'x', undefined],
    ['password', '', undefined],
  ] as const) {
    it(`takes ${JSON.stringify(secret)} as a ${scheme} for ${name ?? 'nobody'}`, async () => {
      assert.equal((await authenticate.reader({ scheme, secret }))?.name, name);
    });
  }

  for (const [scheme, secret, message] of [
    ['token', 'x', /is unknown/],
    ['bearer', 'x', /is unknown/],
    ['bearer', 'x.y', /is unknown/],
    ['bearer', 'x.y.z', /not a job token from an issuer that this server trusts/],
    ['bearer', 'x.y.', /not a job token from an issuer that this server trusts/],
    ['bearer', '', /A token is required/],
    ['bearer', 'e', /'ended' has expired/],
    ['password', 'e', /'ended' has expired/],
  ] as const) {
    it(`refuses ${JSON.stringify(secret)} as a ${scheme}`, async () => {
      const refused = authenticate.reader({ scheme, secret }, expiresAt);
      await assert.rejects(refused, { code: 'authentication_required', message });
    });
  }

  it('asks the issuer of jobs only about a JSON Web Token that is no configured secret', () => {
    assert.deepEqual([...new Set(jobs.map(({ secret }) => secret))], ['h.p.s', 'x.y.z', 'x.y.']);
  });

  it('rejects a password as the token of a change', async () => {
    const refused = authenticate.execute({ scheme: 'password', secret: 's' });
    await assert.rejects(refused, { code: 'authentication_required', message: /A token is required/ });
  });

  it('treats a password as anonymous on a server without tokens, and refuses tokens', async () => {
    const without = new Authenticate(new MemoryTokenRegistry());
    assert.equal(await without.reader({ scheme: 'password', secret: 's' }), undefined);
    for (const scheme of ['token', 'bearer'] as const) {
      await assert.rejects(without.reader({ scheme, secret: 's' }), { message: /No tokens are configured/ });
    }
  });
});
