import type { Catalogues, Upkeep } from '../application/index.js';

/** A task that a server repeats, such as removing expired previews. */
export interface Chore {
  /** For the log. */
  readonly name: string;
  /** Min. time between two runs that succeed, in milliseconds. */
  readonly everyMs?: number;
  /**
   * Does the work that is due.
   * @param now by a clock that is believed
   * @param signal ends the work early
   * @returns the time at which it wants to run again; undefined when once an hour is enough
   */
  run(now: Date, signal: AbortSignal): Promise<Date | undefined>;
  /** Does the work that needs no clock. */
  runWithoutClock?(signal: AbortSignal): Promise<void>;
  /** Number of things that wait for a day, since a round would remove too many. */
  waiting?(): number;
}

interface HousekeepingOptions {
  /** Receives failures of chores, and doubts about the clock. */
  readonly report: (message: string, fields: object) => void;
  readonly now?: () => Date;
  /** Time since the start, in milliseconds, by a clock that nobody sets. */
  readonly uptimeMs?: () => number;
  /** Uptime in milliseconds before which nothing is removed by time; ten minutes. */
  readonly quietMs?: number;
  /** Max. time between two runs, in milliseconds; an hour. */
  readonly everyMs?: number;
  /** Delay of the run after a publication or a change of settings, in milliseconds: several share one. */
  readonly pauseMs?: number;
}

const EVERY_MS = 60 * 60_000;
/** Gives an operator who has set a clock wrong, or sees the warning, time to end the server. */
const QUIET_MS = 10 * 60_000;
const PAUSE_MS = 2_000;
/** Time after which failed chores run again, and a clock that is not believed is checked again, in milliseconds. */
const RETRY_MS = 60_000;

/**
 * Runs chores one after the other: after publications and changes of settings by any process, at the time that one of
 * them wants, and once an hour. In the first minutes, and while the clock is not believed, only what needs no clock.
 * Plans by uptime: the clock may be set.
 */
export class Housekeeping {
  private readonly clock: ClockWatch;
  private timer: NodeJS.Timeout | undefined;
  /** Uptime of the next run, in milliseconds. */
  private due = Number.POSITIVE_INFINITY;
  /** Whether something was published or set since the last run. */
  private hasNews = false;
  private running: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();
  /** Uptimes of the last runs that succeeded, in milliseconds. */
  private readonly lastRuns = new Map<Chore, number>();
  private readonly unsubscribe: () => void;

  constructor(
    docs: Pick<Catalogues, 'subscribe'> & Pick<Upkeep, 'judgeClock'>,
    private readonly chores: readonly Chore[],
    private readonly options: HousekeepingOptions,
  ) {
    const { pauseMs = PAUSE_MS, report } = options;
    this.clock = new ClockWatch(docs, report);
    this.unsubscribe = docs.subscribe(({ came, settings }) => {
      if (came.length + settings.length === 0) return;
      this.hasNews = true;
      this.wakeIn(pauseMs);
    });
    this.wakeIn(0);
  }

  /** Whether something speaks against the clock of this machine. */
  get isClockDoubtful(): boolean {
    return this.clock.isDoubtful;
  }

  /** Number of things that wait for a day. */
  get waiting(): number {
    return this.chores.reduce((sum, chore) => sum + (chore.waiting?.() ?? 0), 0);
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

  private uptimeMs(): number {
    return this.options.uptimeMs?.() ?? performance.now();
  }

  private wakeIn(ms: number): void {
    const due = this.uptimeMs() + ms;
    if (this.closing.signal.aborted || due >= this.due) return;
    this.due = due;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.due = Number.POSITIVE_INFINITY;
        this.running = this.running.then(() => this.round());
      },
      Math.max(0, ms),
    ).unref();
  }

  private async round(): Promise<void> {
    const { everyMs = EVERY_MS, quietMs = QUIET_MS } = this.options;
    const { hasNews } = this;
    this.hasNews = false;
    const now = this.now();
    const isBelieved = await this.clock.believes(now, this.uptimeMs());
    const quietForMs = quietMs - this.uptimeMs();
    if (isBelieved && quietForMs <= 0) return this.wakeIn(await this.runAll(now, everyMs));
    const hasFailed = (hasNews || quietForMs <= 0) && !(await this.runWithoutClock());
    this.hasNews ||= hasFailed;
    this.wakeIn(Math.min(everyMs, isBelieved && !hasFailed ? quietForMs : RETRY_MS));
  }

  /** @returns whether all succeeded */
  private async runWithoutClock(): Promise<boolean> {
    let isDone = true;
    for (const chore of this.chores) {
      const { signal } = this.closing;
      if (signal.aborted) return true;
      await chore.runWithoutClock?.(signal).catch((err: unknown) => {
        isDone = false;
        this.reportFailure(chore, err);
      });
    }
    return isDone;
  }

  /**
   * @param now the time that is believed, also when the clock is set meanwhile
   * @returns milliseconds until the next run
   */
  private async runAll(now: Date, everyMs: number): Promise<number> {
    let next = everyMs;
    for (const chore of this.chores) {
      const { signal } = this.closing;
      if (signal.aborted) return next;
      const uptime = this.uptimeMs();
      const wait = (this.lastRuns.get(chore) ?? Number.NEGATIVE_INFINITY) + (chore.everyMs ?? 0) - uptime;
      if (wait > 0) {
        next = Math.min(next, wait);
        continue;
      }
      try {
        const wanted = await chore.run(now, signal);
        this.lastRuns.set(chore, uptime);
        if (wanted !== undefined) next = Math.min(next, wanted.getTime() - this.now().getTime());
      } catch (err) {
        this.reportFailure(chore, err);
        next = Math.min(next, RETRY_MS);
      }
    }
    return next;
  }

  private reportFailure({ name }: Chore, err: unknown): void {
    this.options.report(`${name} failed; trying again later`, { err });
  }
}

/** Judges the clock of this machine, and says when a doubt begins and ends. */
class ClockWatch {
  /** Whether something spoke against the clock at the last look. */
  isDoubtful = false;

  /** @param report receives one line for each beginning and each end */
  constructor(
    private readonly docs: Pick<Upkeep, 'judgeClock'>,
    private readonly report: (message: string, fields: object) => void,
  ) {}

  /** @returns whether the clock is believed; never while the storage is out of reach */
  async believes(now: Date, uptimeMs: number): Promise<boolean> {
    const verdict = await this.docs.judgeClock(now, uptimeMs).catch(() => undefined);
    if (verdict === undefined) return false;
    const isDoubtful = verdict.kind === 'doubtful';
    if (isDoubtful && !this.isDoubtful) {
      this.report(
        `the clock of this machine is in doubt: ${verdict.why}. Until it is right, nothing is removed by age`,
        {},
      );
    }
    if (!isDoubtful && this.isDoubtful) {
      this.report('the clock of this machine is no longer in doubt', {});
    }
    this.isDoubtful = isDoubtful;
    return verdict.kind === 'believed';
  }
}
