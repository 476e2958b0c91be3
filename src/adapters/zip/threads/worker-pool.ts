import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { refuse } from '../../../domain/refusal.js';
import type { Ending } from '../jobs/ending.js';
import { errorOf } from './failure-codec.js';
import type { Outcome } from './worker.js';

type Jobs = typeof import('./worker.js');
type RequestOf<Name extends keyof Jobs> = Parameters<Jobs[Name]>[0];
type ResultOf<Name extends keyof Jobs> =
  Awaited<ReturnType<Jobs[Name]>> extends Outcome<infer Result> ? Result : never;

const isSource = import.meta.url.endsWith('.ts');
const WORKER = fileURLToPath(new URL(isSource ? './worker.ts' : './worker.js', import.meta.url));
/**
 * Node's options for a worker. Those of the process are not inherited: `--input-type` would be refused. Sources run under
 * tsx, which hooks only the main thread on Node 20, so the worker registers it itself.
 */
const execArgv = () =>
  isSource
    ? [
        '--import',
        `data:text/javascript,import{register}from"${import.meta.resolve('tsx/esm/api')}";register()`,
      ]
    : [];

/**
 * Time that an idle thread waits for a job, in milliseconds. Starting one costs 0.1 s of processor time, several times
 * the cost of a small site.
 */
const IDLE_MS = 30_000;

/** Pool of worker threads, started on demand; further jobs wait. Idle threads do not keep the process alive. */
export class WorkerPool {
  private pool: Promise<Piscina> | undefined;
  private readonly running = new Map<Promise<unknown>, AbortController>();
  private isClosed = false;

  constructor(
    private readonly maxThreads: number,
    private readonly ending: Ending,
  ) {}

  /** @throws Refusal `unavailable` once closed; the job's error; an Error when its thread fails, out of memory say */
  run<Name extends keyof Jobs>(name: Name, request: RequestOf<Name>): Promise<ResultOf<Name>> {
    if (this.isClosed) return Promise.reject(refuse.closing());
    const abort = new AbortController();
    const done = this.outcomeOf(name, request, abort);
    this.running.set(done, abort);
    const forget = () => this.running.delete(done);
    done.then(forget, forget);
    return done;
  }

  /** Waits for running and waiting jobs; takes no new ones. Safe to call twice. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.running.keys());
    await (await this.pool)?.destroy();
  }

  private async outcomeOf<Name extends keyof Jobs>(
    name: Name,
    request: RequestOf<Name>,
    abort: AbortController,
  ): Promise<ResultOf<Name>> {
    this.pool ??= this.open();
    const pool = await this.pool;
    let outcome: Outcome<ResultOf<Name>>;
    try {
      outcome = await pool.run(request, { name, signal: abort.signal });
    } catch (error) {
      const why = abort.signal.aborted ? abort.signal.reason : error;
      // Piscina throws when the system allows no more threads, but would still give the job to the next thread.
      abort.abort();
      throw why;
    }
    if ('result' in outcome) return outcome.result;
    throw errorOf(outcome);
  }

  private async open(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina({
      filename: WORKER,
      minThreads: 0,
      maxThreads: this.maxThreads,
      idleTimeout: IDLE_MS,
      workerData: this.ending.workerData,
      // A larger nursery would only keep more inflated files, whose memory lies outside of it.
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
      recordTiming: false,
      execArgv: execArgv(),
    });
    // When a thread fails before it has a job, piscina lets the jobs wait for other threads: forever, if there are none.
    pool.on('error', (error) => {
      if (pool.threads.length > 0) return;
      for (const abort of this.running.values()) abort.abort(error);
    });
    return pool;
  }
}
