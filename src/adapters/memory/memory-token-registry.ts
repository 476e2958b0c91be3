import { createHash, timingSafeEqual } from 'node:crypto';
import type { Credential, TokenRegistry } from '../../application/index.js';
import { type Actor, type TokenGrants, tokenActor } from '../../domain/index.js';

/** A token with its name, secret and rights. */
export interface MemoryToken extends TokenGrants {
  readonly name: string;
  readonly secret: string;
}

/**
 * A token registry in memory, for embedders and tests. Without an argument it is not configured.
 * @throws RangeError for an empty or duplicate secret
 */
export class MemoryTokenRegistry implements TokenRegistry {
  readonly isConfigured: boolean;
  private readonly tokens: readonly { readonly digest: Buffer; readonly actor: Actor }[];

  constructor(tokens?: readonly MemoryToken[]) {
    this.isConfigured = tokens !== undefined;
    const secrets = (tokens ?? []).map(({ secret }) => secret);
    if (secrets.includes('') || new Set(secrets).size < secrets.length) {
      throw new RangeError('every token needs a secret of its own');
    }
    this.tokens = (tokens ?? []).map(({ name, secret, ...grants }) => ({
      digest: digestOf(secret),
      actor: tokenActor(name, grants),
    }));
  }

  async authenticate({ scheme, secret }: Credential): Promise<Actor | undefined> {
    if (scheme !== 'token') return undefined;
    const digest = digestOf(secret);
    return this.tokens.filter((token) => timingSafeEqual(token.digest, digest)).at(0)?.actor;
  }

  holders(): readonly Actor[] {
    return this.tokens.map(({ actor }) => actor);
  }
}

/** Returns a digest. All have one length, so comparing them takes the same time for every secret. */
function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}
