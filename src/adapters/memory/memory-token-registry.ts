import type { Credential, TokenRegistry } from '../../application/index.js';
import { type Actor, type TokenGrants, tokenActor } from '../../domain/index.js';
import { actorWith, digestOf, type KnownToken } from '../../node/known-tokens.js';

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
  private readonly tokens: readonly KnownToken[];

  constructor(tokens?: readonly MemoryToken[]) {
    this.isConfigured = tokens !== undefined;
    const secrets = (tokens ?? []).map(({ secret }) => secret);
    if (secrets.includes('') || new Set(secrets).size < secrets.length) {
      throw new RangeError('every token needs its own secret');
    }
    this.tokens = (tokens ?? []).map(({ name, secret, ...grants }) => ({
      digest: digestOf(secret),
      actor: tokenActor(name, grants),
    }));
  }

  async authenticate(credential: Credential): Promise<Actor | undefined> {
    return actorWith(credential, this.tokens);
  }

  holders(): readonly Actor[] {
    return this.tokens.map(({ actor }) => actor);
  }
}
