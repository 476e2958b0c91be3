import { createHash, timingSafeEqual } from 'node:crypto';
import type { TokenRegistry } from '../../application/index.js';
import { type TokenGrants, TokenPolicy } from '../../domain/index.js';

/** A token as a program hands it over. */
export interface MemoryToken extends TokenGrants {
  readonly name: string;
  readonly secret: string;
}

/**
 * Tokens from memory, for embedders and tests. Without an argument it is a server without tokens.
 * @throws RangeError for an empty secret, or the same one twice
 */
export class MemoryTokenRegistry implements TokenRegistry {
  readonly isConfigured: boolean;
  private readonly tokens: readonly { readonly digest: Buffer; readonly policy: TokenPolicy }[];

  constructor(tokens?: readonly MemoryToken[]) {
    this.isConfigured = tokens !== undefined;
    const secrets = (tokens ?? []).map(({ secret }) => secret);
    if (secrets.includes('') || new Set(secrets).size < secrets.length) {
      throw new RangeError('every token needs a secret of its own');
    }
    this.tokens = (tokens ?? []).map(({ name, secret, ...grants }) => ({
      digest: digestOf(secret),
      policy: new TokenPolicy(name, grants),
    }));
  }

  find(secret: string): TokenPolicy | undefined {
    const digest = digestOf(secret);
    return this.tokens.filter((token) => timingSafeEqual(token.digest, digest)).at(0)?.policy;
  }
}

/** Digests have one length, and comparing them takes the same time whatever the secrets are. */
function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}
