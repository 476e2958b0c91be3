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

  /** Sees to it that a thread is there or starting, for a job that is about to come. */
  prepare(): void {
    if (this.isClosed || this.idle.length > 0 || this.busy >= this.mostThreads) return;
    try {
      this.idle.push(new WorkerThread(this.ending));
    } catch {
      // The system allows no more threads: the job that needs one will say so.
    }
    this.endIdleThreadsLater();
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
