import { type Actor, refuse } from '../domain/index.js';
import type { Credential, TokenRegistry } from './ports/token-registry.js';

/** Use case: finds out who asks. */
export class Authenticate {
  constructor(private readonly tokens: TokenRegistry) {}

  /** Whether this server has tokens at all. */
  get isPossible(): boolean {
    return this.tokens.isConfigured;
  }

  /**
   * @throws Refusal `authentication_required`, worded for a server without tokens, a missing credential,
   *   an unknown one, or one that has expired; the last has its names in `facts.token` and `facts.maker`, and that of a job
   *   which is not accepted its subject in `facts.job`. `unavailable` when the issuer of a job's token cannot be asked
   */
  async execute(credential: Credential | undefined, now = new Date()): Promise<Actor> {
    if (!this.tokens.isConfigured) throw refuse.noTokensConfigured();
    if (credential === undefined || credential.secret === '') throw refuse.missingToken();
    const actor = await this.tokens.authenticate(credential, now);
    if (actor === undefined) {
      throw credential.scheme === 'token' ? refuse.unknownToken() : refuse.untrustedIssuer();
    }
    const refusal = actor.policy.whyNotAtAll(now, actor.maker);
    if (refusal !== undefined) throw refusal;
    return actor;
  }
}
