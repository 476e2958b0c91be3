import { refuse, type TokenPolicy } from '../domain/index.js';
import type { TokenRegistry } from './ports/token-registry.js';

/**
 * Returns the policy of a request's token.
 * @throws Refusal `authentication_required`, worded for a server without tokens, a missing token or an unknown one
 */
export function authenticate(tokens: TokenRegistry, secret: string | undefined): TokenPolicy {
  if (!tokens.isConfigured) throw refuse.noTokensConfigured();
  if (secret === undefined || secret === '') throw refuse.missingToken();
  const policy = tokens.find(secret);
  if (policy === undefined) throw refuse.unknownToken();
  return policy;
}
