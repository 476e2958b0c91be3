import type { TokenGrants } from '../domain/index.js';
import { authenticate } from './authenticate.js';
import type { TokenRegistry } from './ports/token-registry.js';

/** A token as its owner may see it: never the secret. */
export interface ShownToken {
  readonly name: string;
  readonly grants: TokenGrants;
}

/** Use case: tells the owner of a token its name and its rights. */
export class ShowToken {
  constructor(private readonly tokens: TokenRegistry) {}

  /** @throws Refusal `authentication_required` */
  execute(secret: string | undefined): ShownToken {
    const { name, grants } = authenticate(this.tokens, secret);
    return { name, grants };
  }
}
