import { Worker } from 'node:worker_threads';
import type { SearchAnswer, SearchOptions } from '../../../application/index.js';
import { refuse } from '../../../domain/index.js';
import { isNoMoreFiles } from '../databases/no-more-files.js';
import type { SearchedRevision } from '../finding/searcher.js';
import { nodeOptions, programOf } from './program.js';
import type { FromThread, ToThread } from './search-program.js';

/** Max. number of searches that run or wait. */
const MAX_WAITING = 32;
/** Time that an idle thread keeps its memory and files, in milliseconds. */
const IDLE_MS = 60_000;
/** Mebibytes of the thread's heap. */
const HEAP_MIB = 128;
/** Mebibytes of its young objects. More would let buffers of texts pile up between two garbage collections. */
const YOUNG_MIB = 12;

interface Waiting {
  readonly resolve: (answer: SearchAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that searches, one query after the other. It starts with the first search, and ends when there are no more. */
export class SearchThread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private idle: NodeJS.Timeout | undefined;

  /** @throws Refusal `unavailable` when too many wait, or when the process may open no more files */
  search(query: string, live: readonly SearchedRevision[], options: SearchOptions): Promise<SearchAnswer> {
    if (this.waiting.size >= MAX_WAITING) return Promise.reject(refuse.searchBusy());
    clearTimeout(this.idle);
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.post({ id, query, live, options });
    });
  }

  /** Closes the database in a file that was replaced or removed. */
  forget(file: string): void {
    this.worker?.postMessage({ forget: file } satisfies ToThread);
  }

  /** Ends the thread, and with it the searches that run. Safe to call twice. */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.failed(worker, refuse.closing());
    await worker?.terminate();
  }

  private post(message: ToThread): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  private start(): Worker {
    const worker = new Worker(programOf('search-program'), {
      execArgv: nodeOptions(),
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    worker.unref();
    worker.on('message', (message: FromThread) => this.answered(message));
    worker.once('error', (error) => this.failed(worker, error));
    worker.once('exit', (code) =>
      this.failed(worker, new Error(`the thread that searches ended with ${code}`)),
    );
    return worker;
  }

  private answered(message: FromThread): void {
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if ('answer' in message) waiting?.resolve(message.answer);
    else waiting?.reject(errorOf(message));
    if (this.waiting.size === 0) this.idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  }

  private failed(worker: Worker | undefined, error: unknown): void {
    if (worker !== this.worker) return;
    this.worker = undefined;
    const failed = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of failed)
      reject(isNoMoreFiles(error) ? refuse.searchBusy({ cause: error }) : error);
  }
}

function errorOf({ failure, fields }: Extract<FromThread, { readonly failure: Error }>): unknown {
  const error = Object.assign(failure, fields);
  return isNoMoreFiles(error) ? refuse.searchBusy({ cause: error }) : error;
}
