import { refuse } from '../../domain/refusal.js';
import type { Ending } from './ending.js';
import type { Job, Result, Results } from './jobs.js';
import { WorkerThread } from './worker-thread.js';

/**
 * A new thread has to load and compile everything: 0.1 s of processor time, several times what a small site takes. One
 * that has become idle waits for the next upload of the same build.
 */
const IDLE_MS = 30_000;

/** Runs jobs on a few threads; further ones queue in the order they came. */
export class WorkerPool {
  private readonly idle: WorkerThread[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly running = new Set<Promise<unknown>>();
  private readonly aside = new Set<() => void>();
  private busy = 0;
  private isClosed = false;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly mostThreads: number,
    private readonly ending: Ending,
  ) {}

  /** @throws Refusal `unavailable` once closed; whatever the job throws. */
  run<K extends Job['kind']>(job: Job & { kind: K }): Promise<Results[K]> {
    if (this.isClosed) return Promise.reject(refuse.shuttingDown());
    const done = this.runInTurn(job);
    const settled = done.then(
      () => {},
      () => {},
    );
    this.running.add(settled);
    settled.then(() => this.running.delete(settled));
    return done as Promise<Results[K]>;
  }

  /** Sees to it that so many threads are there or starting, for jobs that are about to come. */
  prepare(threads: number): void {
    if (this.isClosed) return;
    const wanted = Math.min(threads, this.mostThreads);
    try {
      while (this.busy + this.idle.length < wanted) this.idle.push(new WorkerThread(this.ending));
    } catch {
      // The system allows no more threads: the job that needs one will say so.
    }
    this.endIdleThreadsLater();
  }

  /** How many more jobs would run at once. */
  get free(): number {
    return this.mostThreads - this.busy;
  }

  /**
   * Runs a job that others need not wait for.
   * @param giveWay called once another one waits for its thread: it should end soon then
   */
  async runAside(job: Job, giveWay: () => void): Promise<void> {
    this.aside.add(giveWay);
    try {
      await this.run(job);
    } finally {
      this.aside.delete(giveWay);
    }
  }

  /** Lets running and queued jobs finish, and takes no new ones. Safe to call twice. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.running);
    await this.endIdleThreads();
  }

  private async runInTurn(job: Job): Promise<Result> {
    if (this.busy >= this.mostThreads) await this.turn();
    else this.busy += 1;
    clearTimeout(this.idleTimer);
    let thread: WorkerThread | undefined;
    try {
      // Fails where the system allows no more threads.
      thread = this.usableThread();
      return await thread.run(job);
    } finally {
      if (thread?.isUsable) this.idle.push(thread);
      const next = this.waiting.shift();
      // The turn passes straight on, so nobody can slip in between.
      if (next !== undefined) next();
      else this.busy -= 1;
      this.endIdleThreadsLater();
    }
  }

  private turn(): Promise<void> {
    for (const giveWay of this.aside) giveWay();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private usableThread(): WorkerThread {
    for (;;) {
      const thread = this.idle.pop();
      if (thread === undefined) return new WorkerThread(this.ending);
      if (thread.isUsable) return thread;
    }
  }

  private endIdleThreadsLater(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.endIdleThreads(), IDLE_MS).unref();
  }

  private async endIdleThreads(): Promise<void> {
    clearTimeout(this.idleTimer);
    await Promise.all(this.idle.splice(0).map((thread) => thread.end()));
  }
}
