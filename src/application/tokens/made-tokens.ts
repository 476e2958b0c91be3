import {
  type Actor,
  type Day,
  dayOf,
  fullNameOf,
  isMaker,
  LruCache,
  MAX_MADE,
  MAX_MADE_BY_ONE,
  type MadeToken,
  type MadeTokenName,
  madeActor,
  madeTokenKey,
  refuse,
  type TokenGrants,
  whyNotMake,
} from '../../domain/index.js';
import type { Changes } from '../changes.js';
import type { MadeTokens } from '../ports/doc-store.js';
import type { Credential, TokenRegistry } from '../ports/token-registry.js';
import { randomSecret, sha256Of } from './secret.js';

/** Properties of a new token. */
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
      if (own >= MAX_MADE_BY_ONE) throw tooMany(actor, `has created ${MAX_MADE_BY_ONE} tokens, the maximum`);
      if (tokens.length >= MAX_MADE)
        throw tooMany(actor, `may not create more: there are already ${MAX_MADE} tokens created by tokens`);
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
      throw refuse.tokensNotAllowed(actor.name, 'may only revoke tokens that it created');
    }
    await this.changes.changeMadeTokens({ actor, now, reason: 'token_revoked' }, (tokens) => {
      const left = tokens.filter((each) => madeTokenKey(each) !== madeTokenKey(which));
      if (left.length === tokens.length) throw refuse.tokenNotFound(fullNameOf(which));
      return left;
    });
  }
}

/**
 * The tokens of a registry, and those that their holders have made. A made token counts as long as its maker is known,
 * with what both may do at that time.
 */
export class TokensWithMade implements TokenRegistry {
  /** The days on which uses were noted, by the digest of the token: of no more tokens than there can be at a time. */
  private readonly noted = new LruCache<Day>(MAX_MADE);

  constructor(
    private readonly own: TokenRegistry,
    private readonly store: MadeTokens,
    private readonly changes: Pick<Changes, 'changeMadeTokens'>,
  ) {}

  get isConfigured(): boolean {
    return this.own.isConfigured;
  }

  async authenticate(credential: Credential, now: Date): Promise<Actor | undefined> {
    const actor = await this.own.authenticate(credential, now);
    if (actor !== undefined || !this.isConfigured || credential.scheme !== 'token') return actor;
    const sha256 = await sha256Of(credential.secret);
    const token = (await this.store.madeTokens()).find((each) => each.sha256 === sha256);
    const maker = token && this.holders().find((each) => each.kind === 'token' && each.name === token.maker);
    if (token === undefined || maker === undefined) return undefined;
    const found = madeActor(token, maker.policy.grants);
    if (found.policy.whyNotAtAll(now) === undefined) this.note(token, found, now);
    return found;
  }

  /** The makers; not the tokens that they have made. */
  holders(): readonly Actor[] {
    return this.own.holders();
  }

  /** Notes the day of a use, once a day. Nobody waits for it: a use counts whether or not it can be written down. */
  private note(token: MadeToken, actor: Actor, now: Date): void {
    const usedOn = dayOf(now);
    if ((token.usedOn ?? '') >= usedOn || this.noted.get(token.sha256) === usedOn) return;
    this.noted.set(token.sha256, usedOn);
    const isMeant = ({ sha256 }: MadeToken) => sha256 === token.sha256;
    void this.changes
      .changeMadeTokens({ actor, now, reason: 'token_used' }, (tokens) =>
        tokens.some((each) => isMeant(each) && (each.usedOn ?? '') < usedOn)
          ? tokens.map((each) => (isMeant(each) ? { ...each, usedOn } : each))
          : tokens,
      )
      .catch(() => {});
  }
}

function tooMany({ name }: Actor, why: string) {
  return refuse.tokensNotAllowed(name, `${why}; revoke some that are no longer needed`);
}
