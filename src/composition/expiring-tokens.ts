import type { TokenRegistry } from '../application/index.js';
import { type Actor, expiresSoon } from '../domain/index.js';

/** Interval between two looks, in milliseconds. */
const EVERY_MS = 60 * 60_000;

/** Numbers of tokens near their end, and past it. */
export interface ExpiringCounts {
  readonly soon: number;
  readonly expired: number;
}

/** Says in the log, once for each token, that it ends within 14 days, and that it has ended. */
export class ExpiringTokens {
  private readonly said = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly tokens: Pick<TokenRegistry, 'holders'>,
    private readonly warn: (fields: object, message: string) => void,
    private readonly now = () => new Date(),
  ) {
    this.timer = setInterval(() => this.look(), EVERY_MS).unref();
    this.look();
  }

  /** Counts for metrics. */
  get counts(): ExpiringCounts {
    const now = this.now();
    const ending = this.tokens.holders().filter(({ policy }) => expiresSoon(policy.grants.expiresAt, now));
    const expired = ending.filter(({ policy }) => policy.whyNotAtAll(now) !== undefined).length;
    return { soon: ending.length - expired, expired };
  }

  /** Looks for tokens near their end. */
  look(): void {
    const now = this.now();
    for (const holder of this.tokens.holders()) {
      if (expiresSoon(holder.policy.grants.expiresAt, now)) this.say(holder, now);
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  private say({ name: token, policy }: Actor, now: Date): void {
    const expires = policy.grants.expiresAt?.toISOString();
    const isOver = policy.whyNotAtAll(now) !== undefined;
    const key = JSON.stringify([token, expires, isOver]);
    if (this.said.has(key)) return;
    this.said.add(key);
    this.warn({ token, expires }, isOver ? 'a token has expired' : 'a token expires soon');
  }
}
