import type {
  PageComparison,
  PageDifference,
  PageDigest,
  SitePage,
  Waiter,
} from '../../application/index.js';
import { refuse } from '../../domain/index.js';
import { programBeside } from '../../node/background/program.js';
import { ThreadPool } from '../../node/background/thread-pool.js';

/** Max. jobs that run or wait. Each is a page to show, or a batch of pages to hash. */
const MAX_JOBS = 17;
/** Time that an idle thread keeps its memory, in milliseconds. */
const IDLE_MS = 30_000;
/** Mebibytes of the thread's heap. */
const HEAP_MIB = 256;

/** Compares pages on one worker thread, started on demand: more would only take processors from readers. */
export class ThreadedPageComparison implements PageComparison {
  private readonly thread = new ThreadPool<typeof import('./jobs.js')>({
    program: programBeside(import.meta.url, './jobs'),
    maxThreads: 1,
    limit: { jobs: MAX_JOBS, refusal: refuse.comparisonBusy },
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });

  digests(pages: readonly SitePage[], waiter?: Waiter): Promise<readonly PageDigest[]> {
    return this.thread.run('digests', pages, waiter);
  }

  difference(before: SitePage, after: SitePage, waiter?: Waiter): Promise<PageDifference> {
    return this.thread.run('difference', [before, after], waiter);
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
