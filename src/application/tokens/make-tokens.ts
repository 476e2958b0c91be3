import {
  type Actor,
  fullNameOf,
  isMaker,
  MAX_MADE,
  MAX_MADE_BY_ONE,
  type MadeToken,
  type MadeTokenName,
  madeTokenKey,
  refuse,
  type TokenGrants,
  whyNotMake,
} from '../../domain/index.js';
import type { Changes } from '../changes.js';
import type { MadeTokens } from '../ports/doc-store.js';
import type { TokenRegistry } from '../ports/token-registry.js';
import { randomSecret, sha256Of } from './secret.js';

/** What a new token is to be. */
export interface TokenRequest {
  readonly name: string;
  readonly given: TokenGrants;
  readonly description?: string | undefined;
}

/** Use case: the holder of a token makes others with a part of its rights, lists and revokes them. */
export class MakeTokens {
  constructor(
    private readonly tokens: Pick<TokenRegistry, 'holders'>,
    private readonly store: MadeTokens,
    private readonly changes: Pick<Changes, 'changeMadeTokens'>,
  ) {}

  /**
   * @returns the token, and its secret, which is kept nowhere
   * @throws Refusal `tokens_not_allowed`, `name_taken`, `unavailable`
   */
  async make(
    actor: Actor,
    { name, given, description }: TokenRequest,
    now = new Date(),
  ): Promise<{ readonly token: MadeToken; readonly secret: string }> {
    const refusal = whyNotMake(actor.policy, given);
    if (refusal !== undefined) throw refusal;
    const secret = randomSecret();
    const sha256 = await sha256Of(secret);
    const token = { maker: actor.name, name, sha256, given, description, madeAt: now };
    const fullName = fullNameOf(token);
    await this.changes.changeMadeTokens({ actor, now, reason: 'token_made' }, (tokens) => {
      // A token of the tokens file with this text as its name would be another one, but people could not tell them apart.
      const isTaken =
        tokens.some((each) => madeTokenKey(each) === madeTokenKey(token)) ||
        this.tokens.holders().some((each) => each.name === fullName);
      if (isTaken) throw refuse.tokenNameTaken(fullName);
      const own = tokens.filter(({ maker }) => maker === actor.name).length;
      if (own >= MAX_MADE_BY_ONE) throw tooMany(actor, `has made ${MAX_MADE_BY_ONE} tokens`);
      if (tokens.length >= MAX_MADE)
        throw tooMany(actor, `may not make more: there are ${MAX_MADE} made tokens`);
      return [...tokens, token];
    });
    return { token, secret };
  }

  /** Returns the tokens that an actor has made, by name. @throws Refusal `unavailable` */
  async list(actor: Actor): Promise<readonly MadeToken[]> {
    const tokens = (await this.store.madeTokens()).filter(({ maker }) => isMaker(actor, maker));
    return tokens.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @throws Refusal `tokens_not_allowed` unless the actor has made it; `token_not_found`, `unavailable` */
  async revoke(actor: Actor, which: MadeTokenName, now = new Date()): Promise<void> {
    if (!isMaker(actor, which.maker)) {
      throw refuse.tokensNotAllowed(actor.name, 'may only revoke tokens that it has made');
    }
    await this.changes.changeMadeTokens({ actor, now, reason: 'token_revoked' }, (tokens) => {
      const left = tokens.filter((each) => madeTokenKey(each) !== madeTokenKey(which));
      if (left.length === tokens.length) throw refuse.tokenNotFound(fullNameOf(which));
      return left;
    });
  }
}

function tooMany({ name }: Actor, why: string) {
  return refuse.tokensNotAllowed(name, `${why}; revoke some that are not needed any more`);
}
