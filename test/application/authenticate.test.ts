import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import { Authenticate, type Credential } from '../../src/application/index.js';
import { jobActor, tokenActor } from '../../src/domain/index.js';

const credential = (secret: string) => ({ scheme: 'token', secret }) as const;

describe('Finding out who asks', () => {
  it('gives the registry the credential and the time, and waits for its answer', async () => {
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
    ['an empty credential', [], credential(''), /This needs a token/],
    ['no credential', [], undefined, /This needs a token/],
    ['any credential where there are no tokens', undefined, credential('s'), /There are no tokens/],
    ['no credential where there are no tokens', undefined, undefined, /There are no tokens/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const authenticate = new Authenticate(new MemoryTokenRegistry(tokens));
      await assert.rejects(authenticate.execute(given), { code: 'authentication_required', message });
      assert.equal(authenticate.isPossible, tokens !== undefined);
    });
  }

  it('refuses a token from its end on, and says whose it was', async () => {
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

describe('Finding out who reads', () => {
  const expiresAt = new Date(1000);
  const job = jobActor('github', 'repo:acme/a', {});
  const tokens = new MemoryTokenRegistry([
    { name: 'ci', secret: 's' },
    { name: 'like-a-jwt', secret: 'a.b.c' },
    { name: 'ended', secret: 'e', expiresAt },
  ]);
  /** What the registry is asked for that is no secret of its own. */
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
    ['bearer', 'x.y.z', /no token of a job whose issuer is trusted/],
    ['bearer', 'x.y.', /no token of a job whose issuer is trusted/],
    ['bearer', '', /This needs a token/],
    ['bearer', 'e', /'ended' has expired/],
    ['password', 'e', /'ended' has expired/],
  ] as const) {
    it(`refuses ${JSON.stringify(secret)} as a ${scheme}`, async () => {
      const refused = authenticate.reader({ scheme, secret }, expiresAt);
      await assert.rejects(refused, { code: 'authentication_required', message });
    });
  }

  it('asks about a job only for what has the form of a JSON Web Token and is no secret of its own', () => {
    assert.deepEqual([...new Set(jobs.map(({ secret }) => secret))], ['h.p.s', 'x.y.z', 'x.y.']);
  });

  it('takes a password for a change as no token', async () => {
    const refused = authenticate.execute({ scheme: 'password', secret: 's' });
    await assert.rejects(refused, { code: 'authentication_required', message: /This needs a token/ });
  });

  it('takes no password where there are no tokens, and refuses the rest', async () => {
    const without = new Authenticate(new MemoryTokenRegistry());
    assert.equal(await without.reader({ scheme: 'password', secret: 's' }), undefined);
    for (const scheme of ['token', 'bearer'] as const) {
      await assert.rejects(without.reader({ scheme, secret: 's' }), { message: /There are no tokens/ });
    }
  });
});
