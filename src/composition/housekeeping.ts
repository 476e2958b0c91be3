import type { DocStore } from '../application/index.js';

/** A task that a server repeats, such as removing expired previews. */
export interface Chore {
  /** For the log. */
  readonly name: string;
  /** Min. time between two runs that succeed, in milliseconds. */
  readonly everyMs?: number;
  /**
   * Does what is due.
   * @param signal ends the work early
   * @returns the time at which it wants to run again; undefined when once an hour is enough
   */
  run(now: Date, signal: AbortSignal): Promise<Date | undefined>;
}

export interface HousekeepingOptions {
  /** Receives failures of chores. */
  readonly report: (message: string, fields: object) => void;
  readonly now?: () => Date;
  /** Max. time between two runs, in milliseconds; an hour. */
  readonly everyMs?: number;
  /** Delay of the run after a publication or a change of settings, in milliseconds: several share one. */
  readonly pauseMs?: number;
}

const EVERY_MS = 60 * 60_000;
const PAUSE_MS = 2_000;
/** Time after which failed chores run again, in milliseconds. */
const RETRY_MS = 60_000;

/**
 * Runs chores one after the other: at the start, at the time that one of them wants, after publications and
 * changes of settings by any process, and once an hour.
 */
export class Housekeeping {
  private timer: NodeJS.Timeout | undefined;
  /** Time of the next run, in milliseconds since 1970. */
  private due = Number.POSITIVE_INFINITY;
  private running: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();
  /** Times of the last runs that succeeded, in milliseconds since 1970. */
  private readonly lastRuns = new Map<Chore, number>();
  private readonly unsubscribe: () => void;

  constructor(
    docs: Pick<DocStore, 'subscribe'>,
    private readonly chores: readonly Chore[],
    private readonly options: HousekeepingOptions,
  ) {
    const { pauseMs = PAUSE_MS } = options;
    this.unsubscribe = docs.subscribe(({ came, settings }) => {
      if (came.length + settings.length > 0) this.wakeAt(this.now().getTime() + pauseMs);
    });
    this.wakeAt(this.now().getTime());
  }

  /** Runs nothing more, and waits for the chore that is running to end early. */
  async close(): Promise<void> {
    this.closing.abort();
    this.unsubscribe();
    clearTimeout(this.timer);
    await this.running;
  }

  private now(): Date {
    return this.options.now?.() ?? new Date();
  }

  private wakeAt(ms: number): void {
    if (this.closing.signal.aborted || ms >= this.due) return;
    this.due = ms;
    clearTimeout(this.timer);
    const wait = Math.max(0, ms - this.now().getTime());
    this.timer = setTimeout(() => {
      this.due = Number.POSITIVE_INFINITY;
      this.running = this.running.then(() => this.runAll());
    }, wait).unref();
  }

  private async runAll(): Promise<void> {
    const { everyMs = EVERY_MS, report } = this.options;
    let next = this.now().getTime() + everyMs;
    for (const chore of this.chores) {
      const { signal } = this.closing;
      if (signal.aborted) return;
      const now = this.now();
      const earliest = (this.lastRuns.get(chore) ?? Number.NEGATIVE_INFINITY) + (chore.everyMs ?? 0);
      if (now.getTime() < earliest) {
        next = Math.min(next, earliest);
        continue;
      }
      const wanted = await this.run(chore, now).catch((err: unknown) => {
        report(`${chore.name} failed; it will be tried again`, { err });
        return new Date(this.now().getTime() + RETRY_MS);
      });
      next = Math.min(next, wanted?.getTime() ?? next);
    }
    this.wakeAt(next);
  }

  private async run(chore: Chore, now: Date): Promise<Date | undefined> {
    const wanted = await chore.run(now, this.closing.signal);
    this.lastRuns.set(chore, now.getTime());
    return wanted;
  }
}
