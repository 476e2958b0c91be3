import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { SearchAnswer, Waiter } from '../../../application/index.js';
import { refuse } from '../../../domain/index.js';
import { programBeside } from '../../../node/background/program.js';
import { ThreadPool } from '../../../node/background/thread-pool.js';
import { isNoMoreFiles } from '../databases/load-engine.js';
import type { SearchTask, ThreadData } from './search-program.js';

/** Max. number of searches that run or wait. */
const MAX_SEARCHES = 32;
/** Time that an idle thread keeps its memory and files, in milliseconds. */
const IDLE_MS = 60_000;
/** Mebibytes of the heaps of all threads, and of one at least and at most. */
const ALL_HEAPS_MIB = 256;
const MIN_HEAP_MIB = 64;
const MAX_HEAP_MIB = 128;
/** Mebibytes of its young objects: more lets texts of pages pile up between two collections, and makes no search faster. */
const YOUNG_MIB = 16;

/** Searches on worker threads, one query after the other in each; addresses take turns. */
export class SearchThreads {
  /** To every thread. Undefined: closed. */
  private replaced: BroadcastChannel | undefined;
  private readonly threads: ThreadPool<typeof import('./search-program.js')>;

  constructor(maxThreads: number) {
    const channel = randomUUID();
    const heapMib = Math.max(MIN_HEAP_MIB, Math.min(MAX_HEAP_MIB, Math.floor(ALL_HEAPS_MIB / maxThreads)));
    const workerData: ThreadData = { channel };
    this.replaced = new BroadcastChannel(channel).unref();
    this.threads = new ThreadPool({
      program: programBeside(import.meta.url, './search-program'),
      maxThreads,
      limit: { jobs: MAX_SEARCHES, refusal: refuse.searchBusy },
      idleMs: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: YOUNG_MIB },
      workerData,
    });
  }

  /**
   * A search that runs when it is aborted ends when it looks at its budget the next time.
   * @throws Refusal `unavailable` when too many wait, when the process may open no more files, when the search takes too
   *   much memory, and once closed; the reason of the signal
   */
  async search(task: SearchTask, waiter: Waiter = {}): Promise<SearchAnswer> {
    try {
      return await this.threads.run('search', task, waiter);
    } catch (error) {
      if (isNoMoreFiles(error)) throw refuse.searchBusy({ cause: error });
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse.searchTooLarge({ cause: error }) : error;
    }
  }

  /** Closes the database in a file that was replaced or removed, in every thread. */
  forget(file: string): void {
    this.replaced?.postMessage(file);
  }

  /** Ends the threads, and with them the searches that run or wait. Safe to call twice. */
  async close(): Promise<void> {
    this.replaced?.close();
    this.replaced = undefined;
    await this.threads.close();
  }
}
