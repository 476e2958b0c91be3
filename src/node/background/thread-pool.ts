import type { ResourceLimits } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { Waiter } from '../../application/ports/waiter.js';
import { FairQueue, type Refusal, refuse } from '../../domain/index.js';
import { type Job, type Outcome, resultOf, type Task } from './job.js';
import { nodeOptions } from './program.js';

export interface ThreadPoolOptions {
  /** Path of the module that threads run, as `programBeside` returns it. The module's exports are jobs, made with `job`. */
  readonly program: string;
  readonly maxThreads: number;
  /**
   * Max. jobs that run or wait, and the refusal of further ones, from the address with the most waiting jobs. @default no limit
   */
  readonly limit?: { readonly jobs: number; readonly refusal: () => Refusal };
  /** Time in milliseconds after which an idle thread ends, and frees its memory and files. */
  readonly idleMs: number;
  readonly resourceLimits: ResourceLimits;
  /** The `workerData` of each thread. */
  readonly workerData?: unknown;
}

type RequestOf<Work> = Work extends Job<infer Request, unknown> ? Request : never;
type ResultOf<Work> = Work extends Job<never, infer Result> ? Result : never;

interface Waiting {
  readonly name: string;
  readonly request: unknown;
  readonly abandoned: Int32Array;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Run {
  /** Takes the job back from piscina. It would kill a thread that has begun with it. */
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/**
 * Worker threads for the jobs of one program, one job each at a time. They start on demand, and do not keep the process
 * alive when idle. A thread that dies takes only its own job with it, which is not repeated: it may be what killed the thread.
 */
export class ThreadPool<Jobs> {
  private pool: Promise<Piscina> | undefined;
  private readonly line = new FairQueue<Waiting>();
  private readonly running = new Map<Waiting, Run>();
  private isClosed = false;

  constructor(private readonly options: ThreadPoolOptions) {}

  /**
   * Runs a job in a thread. Waiting jobs take turns by address; a running job learns from `isAbandoned` that its signal was
   * aborted.
   * @param request a function makes it when the turn of the job comes, so that nothing large waits
   * @throws the job's error; Refusal `unavailable` once closed, or that of `limit`; the reason of the signal; an Error when
   *   the thread fails, with the code `ERR_WORKER_OUT_OF_MEMORY` when it needs more memory than `resourceLimits`
   */
  async run<Name extends keyof Jobs & string>(
    name: Name,
    request: RequestOf<Jobs[Name]> | (() => Promise<RequestOf<Jobs[Name]>>),
    { address = '', signal }: Waiter = {},
  ): Promise<ResultOf<Jobs[Name]>> {
    signal?.throwIfAborted();
    if (this.isClosed) throw refuse.closing();
    this.makeRoomFor(address);
    const abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    // A signal may outlive many jobs.
    const settled = new AbortController();
    return new Promise<ResultOf<Jobs[Name]>>((resolve, reject) => {
      const waiting: Waiting = { name, request, abandoned, resolve: resolve as never, reject };
      const abandon = () => {
        Atomics.store(abandoned, 0, 1);
        this.line.remove(waiting);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abandon, { once: true, signal: settled.signal });
      this.line.add(address, waiting);
      this.startNext();
    }).finally(() => settled.abort());
  }

  /** Takes no new jobs, rejects waiting jobs with `closing`, and abandons running ones: see `isAbandoned`. */
  giveUp(): void {
    this.isClosed = true;
    for (let next = this.line.next(); next !== undefined; next = this.line.next())
      next.reject(refuse.closing());
    for (const { abandoned } of this.running.keys()) Atomics.store(abandoned, 0, 1);
  }

  /** Takes no new jobs, waits for running and waiting ones, and ends the threads. Safe to call twice. */
  async finish(): Promise<void> {
    this.isClosed = true;
    while (this.running.size > 0) await Promise.all(Array.from(this.running.values(), ({ done }) => done));
    await (await this.pool?.catch(() => undefined))?.destroy();
  }

  /** Ends the threads, and rejects what runs or waits with `closing`. Safe to call twice. */
  async close(): Promise<void> {
    this.giveUp();
    for (const { reject } of this.running.keys()) reject(refuse.closing());
    await (await this.pool?.catch(() => undefined))?.destroy();
  }

  private makeRoomFor(address: string): void {
    const { limit } = this.options;
    if (limit === undefined || this.line.size + this.running.size < limit.jobs) return;
    const refused = this.line.makeRoomFor(address);
    if (refused === undefined) throw limit.refusal();
    refused.reject(limit.refusal());
  }

  /** Jobs wait here and not in piscina, which knows no turns. */
  private startNext(): void {
    while (this.running.size < this.options.maxThreads) {
      const next = this.line.next();
      if (next === undefined) return;
      const abort = new AbortController();
      this.running.set(next, { abort, done: this.start(next, abort) });
    }
  }

  /** Never throws. */
  private async start(waiting: Waiting, abort: AbortController): Promise<void> {
    try {
      waiting.resolve(resultOf(await this.outcomeOf(waiting, abort)));
    } catch (error) {
      waiting.reject(error);
    } finally {
      this.running.delete(waiting);
      this.startNext();
    }
  }

  private async outcomeOf(
    { name, request: given, abandoned }: Waiting,
    abort: AbortController,
  ): Promise<Outcome<unknown>> {
    const request = typeof given === 'function' ? await given() : given;
    this.pool ??= this.open();
    const pool = await this.pool;
    const task: Task<unknown> = { request, abandoned };
    try {
      return await pool.run(task, { name, signal: abort.signal });
    } catch (error) {
      if (abort.signal.aborted) throw abort.signal.reason;
      // Piscina throws when the system allows no more threads, but would still give the job to the next thread.
      abort.abort();
      throw error;
    }
  }

  private async open(): Promise<Piscina> {
    const { program, maxThreads, idleMs, resourceLimits, workerData } = this.options;
    const { Piscina } = await import('piscina');
    const pool = new Piscina({
      filename: program,
      minThreads: 0,
      maxThreads,
      idleTimeout: idleMs,
      resourceLimits,
      workerData,
      recordTiming: false,
      // Idle threads otherwise sleep in Atomics.wait, where no other message reaches them.
      atomics: 'disabled',
      execArgv: nodeOptions(),
    });
    // When a thread ends before it has a job, piscina lets the jobs wait for other threads: forever, if there are none.
    const ended = new Error('The thread ended before it had a job');
    pool.on('error', (error) => this.failWithoutThreads(pool, error));
    pool.on('workerDestroy', () => setImmediate(() => this.failWithoutThreads(pool, ended)));
    return pool;
  }

  private failWithoutThreads(pool: Piscina, error: unknown): void {
    if (pool.threads.length > 0) return;
    for (const { abort } of this.running.values()) abort.abort(error);
  }
}
