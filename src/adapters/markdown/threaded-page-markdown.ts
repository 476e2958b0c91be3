import type { PageMarkdown } from '../../application/index.js';
import type { MarkdownPage } from '../../formats/html/index.js';
import { programBeside } from '../../node/background/program.js';
import { ThreadPool } from '../../node/background/thread-pool.js';

/** Max. pages that are converted at once. */
const MAX_THREADS = 2;
/** Time that an idle thread keeps its memory, in milliseconds. */
const IDLE_MS = 30_000;
/** Mebibytes of a thread's heap: hostile pages take up to 300 MB. */
const HEAP_MIB = 384;

/** Turns pages into Markdown on two worker threads, started on demand. */
export class ThreadedPageMarkdown implements PageMarkdown {
  private readonly threads = new ThreadPool<typeof import('./jobs.js')>({
    program: programBeside(import.meta.url, './jobs'),
    maxThreads: MAX_THREADS,
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });

  convert(bytes: Uint8Array, withLinks: boolean): Promise<MarkdownPage> {
    return this.threads.run('convert', { bytes, withLinks });
  }

  close(): Promise<void> {
    return this.threads.close();
  }
}
