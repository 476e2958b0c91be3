import type { TokenRegistry } from '../../application/index.js';
import { type TokenGrants, TokenPolicy } from '../../domain/index.js';

/** A token as a program hands it over. */
export interface MemoryToken extends TokenGrants {
  readonly name: string;
  readonly secret: string;
}

/** Tokens from memory, for embedders and tests. Without an argument it is a server without tokens. */
export class MemoryTokenRegistry implements TokenRegistry {
  readonly isConfigured: boolean;
  private readonly policies: ReadonlyMap<string, TokenPolicy>;

  constructor(tokens?: readonly MemoryToken[]) {
    this.isConfigured = tokens !== undefined;
    this.policies = new Map(
      tokens?.map(({ name, secret, ...grants }) => [secret, new TokenPolicy(name, grants)]),
    );
  }

  find(secret: string): TokenPolicy | undefined {
    return this.policies.get(secret);
  }
}
