import type {
  CheckedLinks,
  FoundOutward,
  LinkBudget,
  LinkChecking,
  LinkedSite,
  MissingPlaces,
  OutwardQuestion,
  ReadLinks,
  SitePage,
  Waiter,
} from '../../application/index.js';
import { refuse } from '../../domain/index.js';
import { programBeside } from '../../node/background/program.js';
import { ThreadPool } from '../../node/background/thread-pool.js';

/** Max. jobs that run or wait. Each is a batch of pages to read, or a version to check. */
const MAX_JOBS = 17;
/** Time that an idle thread keeps its memory, in milliseconds. */
const IDLE_MS = 30_000;
/** Mebibytes of the thread's heap. */
const HEAP_MIB = 256;

/** Reads and checks links on one worker thread, started on demand: more would only take processors from readers. */
export class ThreadedLinkChecking implements LinkChecking {
  private readonly thread = new ThreadPool<typeof import('./jobs.js')>({
    program: programBeside(import.meta.url, './jobs'),
    maxThreads: 1,
    limit: { jobs: MAX_JOBS, refusal: refuse.linkCheckBusy },
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });

  read(pages: readonly SitePage[], budget: LinkBudget, waiter?: Waiter): Promise<ReadLinks> {
    return this.thread.run('read', { pages, budget }, waiter);
  }

  check(site: LinkedSite, waiter?: Waiter): Promise<CheckedLinks | undefined> {
    return unlessTooLarge(this.thread.run('check', site, waiter));
  }

  outward(file: Uint8Array, question: OutwardQuestion, waiter?: Waiter): Promise<FoundOutward> {
    return this.thread.run('outward', { file, question }, waiter);
  }

  missing(site: LinkedSite, places: readonly string[], waiter?: Waiter): Promise<MissingPlaces | undefined> {
    return unlessTooLarge(this.thread.run('missing', { site, places }, waiter));
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}

async function unlessTooLarge<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return undefined;
    throw error;
  }
}
