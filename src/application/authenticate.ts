import { refuse, type TokenPolicy } from '../domain/index.js';
import type { TokenRegistry } from './ports/token-registry.js';

/**
 * The policy of the token that a request carries.
 * @throws Refusal `authentication_required`; its message tells a server without tokens from a missing and an unknown token
 */
export function authenticate(tokens: TokenRegistry, secret: string | undefined): TokenPolicy {
  if (!tokens.isConfigured) throw refuse.noTokensConfigured();
  if (secret === undefined || secret === '') throw refuse.missingToken();
  const policy = tokens.find(secret);
  if (policy === undefined) throw refuse.unknownToken();
  return policy;
}
