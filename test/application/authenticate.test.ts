import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import { Authenticate } from '../../src/application/index.js';
import { tokenActor } from '../../src/domain/index.js';

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
