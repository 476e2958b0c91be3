import type { TokenRegistry } from '../application/index.js';
import { type Actor, DAY_MS, expiresSoon } from '../domain/index.js';
import type { ChoreParts } from './feature.js';
import type { Chore } from './housekeeping.js';

/** Min. time between two looks for removed versions that were kept long enough, in milliseconds. */
const CLEAR_EVERY_MS = 60 * 60_000;

/** Interval between two looks for tokens that expire, in milliseconds. */
const LOOK_EVERY_MS = 60 * 60_000;

/** Removes expired previews. */
export function previewsChore({ useCases: { expirePreviews }, log, prune }: ChoreParts): Chore {
  const previews = new Backlog('expired previews', log, prune);
  return {
    name: 'removing expired previews',
    run: async (now, signal) => {
      const later = previews.later(expirePreviews.due(now), expirePreviews.maxInRound);
      for await (const { directoryName } of expirePreviews.execute(now, signal, later)) {
        log.info({ preview: directoryName }, 'a preview has expired');
      }
      return expirePreviews.nextEnd(now);
    },
    waiting: () => previews.waiting,
  };
}

/** Deletes removed versions that were kept long enough. */
export function clearingChore({ docs, log, prune }: ChoreParts): Chore {
  const removed = new Backlog('removed versions whose time to be kept has passed', log, prune);
  return {
    name: 'deleting removed versions',
    everyMs: CLEAR_EVERY_MS,
    run: async (now) => {
      if (!removed.isWaiting) removed.left(await docs.clearUp(now));
      return undefined;
    },
    waiting: () => removed.waiting,
  };
}

/** Backlog of one kind of thing that goes by time: what one round leaves waits for a day. */
export class Backlog {
  /** Number that waits. */
  waiting = 0;
  private waitsUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly name: string,
    private readonly log: ChoreParts['log'],
    /** Command that removes them at once, where there is one. */
    private readonly prune: string | undefined,
  ) {}

  /** Whether what one round left has to wait. */
  get isWaiting(): boolean {
    return this.waiting > 0 && performance.now() < this.waitsUntil;
  }

  /**
   * Returns what has to wait.
   * @param due what could go now, what goes first in front
   * @param most number that one round may remove
   */
  later<Thing>(due: readonly Thing[], most: number): readonly Thing[] {
    if (this.isWaiting) {
      this.waiting = due.length;
      return due;
    }
    const later = due.slice(most);
    this.left(later.length);
    return later;
  }

  /** Notes how many a round leaves. */
  left(count: number): void {
    this.waiting = count;
    if (count === 0) return;
    this.waitsUntil = performance.now() + DAY_MS;
    const { name, prune } = this;
    const advice = prune === undefined ? '' : `. If the clock is right, \`${prune}\` removes them at once`;
    const message = `too many ${name} are due at once: the rest waits for a day${advice}`;
    this.log.warn({ waiting: count }, message);
  }
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
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    this.look();
  }

  /** Numbers of tokens near their end, and past it, for metrics. */
  get counts() {
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
