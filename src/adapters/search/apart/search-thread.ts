import { Worker } from 'node:worker_threads';
import type { SearchAnswer, Searching } from '../../../application/index.js';
import { FairLine, refuse } from '../../../domain/index.js';
import { isNoMoreFiles } from '../databases/no-more-files.js';
import { nodeOptions, programOf } from './program.js';
import type { FromThread, SearchTask, ThreadData, ToThread } from './search-program.js';

/** Max. number of searches that run or wait. */
const MAX_WAITING = 32;
/** Time that an idle thread keeps its memory and files, in milliseconds. */
const IDLE_MS = 60_000;
/** Mebibytes of the thread's heap. */
const HEAP_MIB = 128;
/** Mebibytes of its young objects. More would let buffers of texts pile up between two garbage collections. */
const YOUNG_MIB = 12;

interface Waiting {
  readonly task: SearchTask;
  readonly resolve: (answer: SearchAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread that searches, one query after the other; addresses take turns. It starts with the first search, and ends when
 * there are no more. If it dies, those that it had not begun run in the next one.
 */
export class SearchThread {
  private worker: Worker | undefined;
  private readonly line = new FairLine<Waiting>();
  private running: Waiting | undefined;
  /** Shared with the thread. */
  private readonly abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private idle: NodeJS.Timeout | undefined;

  /** @throws Refusal `unavailable` when too many wait, or when the process may open no more files; the reason of the signal */
  search(task: SearchTask, { address = '', signal }: Searching = {}): Promise<SearchAnswer> {
    if (this.line.size + (this.running === undefined ? 0 : 1) >= MAX_WAITING) {
      return Promise.reject(refuse.searchBusy());
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { task, resolve, reject };
      this.line.add(address, waiting);
      signal?.addEventListener('abort', () => this.abandon(waiting, signal.reason), { once: true });
      this.runNext();
    });
  }

  /** Closes the database in a file that was replaced or removed. */
  forget(file: string): void {
    this.worker?.postMessage({ forget: file } satisfies ToThread);
  }

  /** Ends the thread, and with it the searches that run or wait. Safe to call twice. */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = undefined;
    const ended = [this.running];
    this.running = undefined;
    while (this.line.size > 0) ended.push(this.line.next());
    for (const waiting of ended) waiting?.reject(refuse.closing());
    await worker?.terminate();
  }

  /** Begins the search whose turn it is, unless one runs. */
  private runNext(): void {
    if (this.running !== undefined) return;
    const next = this.line.next();
    clearTimeout(this.idle);
    if (next === undefined) {
      this.worker?.unref();
      this.idle = setTimeout(() => void this.close(), IDLE_MS).unref();
      return;
    }
    this.running = next;
    Atomics.store(this.abandoned, 0, 0);
    this.worker ??= this.start();
    // Whoever waits for an answer gets it, whatever else keeps the program alive.
    this.worker.ref();
    this.worker.postMessage({ search: next.task } satisfies ToThread);
  }

  /** One that waits leaves the line; one that runs ends when it looks at its budget the next time. */
  private abandon(waiting: Waiting, reason: unknown): void {
    if (waiting === this.running) Atomics.store(this.abandoned, 0, 1);
    this.line.remove(waiting);
    waiting.reject(reason);
  }

  private start(): Worker {
    const workerData: ThreadData = { abandoned: this.abandoned };
    const worker = new Worker(programOf('search-program'), {
      execArgv: nodeOptions(),
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
      workerData,
    });
    worker.on('message', (message: FromThread) => this.answered(worker, message));
    worker.once('error', (error) => this.died(worker, error));
    worker.once('exit', (code) =>
      this.died(worker, new Error(`the thread that searches ended with ${code}`)),
    );
    return worker;
  }

  private answered(worker: Worker, message: FromThread): void {
    if (worker !== this.worker) return;
    const { running } = this;
    this.running = undefined;
    if ('answer' in message) running?.resolve(message.answer);
    else running?.reject(refusalOf(Object.assign(message.failure, message.fields)));
    this.runNext();
  }

  /** The search that ran is not repeated: it may be what the thread died of. */
  private died(worker: Worker, error: unknown): void {
    if (worker !== this.worker) return;
    const { running } = this;
    this.worker = undefined;
    this.running = undefined;
    running?.reject(refusalOf(error));
    this.runNext();
  }
}

function refusalOf(error: unknown): unknown {
  if (isNoMoreFiles(error)) return refuse.searchBusy({ cause: error });
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse.searchTooLarge({ cause: error }) : error;
}
