import {
  type Actor,
  type Day,
  dayOf,
  LruCache,
  MAX_MADE,
  type MadeToken,
  madeActor,
} from '../../domain/index.js';
import type { Changes } from '../changes.js';
import type { MadeTokens } from '../ports/doc-store.js';
import type { Credential, TokenRegistry } from '../ports/token-registry.js';
import { sha256Of } from './secret.js';

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
