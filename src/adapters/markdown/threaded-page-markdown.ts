import type { FoundPiece, PageMarkdown, SearchedPage, Waiter } from '../../application/index.js';
import { refuse } from '../../domain/index.js';
import type { DrawnPage } from '../../formats/drawn/drawn-page.js';
import type { DrawnSite } from '../../formats/drawn/drawn-site.js';
import { MarkdownPage } from '../../formats/html/index.js';
import { programBeside } from '../../node/background/program.js';
import { ThreadPool } from '../../node/background/thread-pool.js';

/** Max. pages that are worked on at once. */
const MAX_THREADS = 2;
/** Max. pages that are worked on or wait. */
const MAX_PAGES = 32;
/** Time that an idle thread keeps its memory, in milliseconds. */
const IDLE_MS = 30_000;
/** Mebibytes of a thread's heap: hostile pages take up to 150 MB. */
const HEAP_MIB = 256;

/** Turns pages into Markdown, and finds in it, on two worker threads, started on demand. */
export class ThreadedPageMarkdown implements PageMarkdown {
  private readonly threads = new ThreadPool<typeof import('./jobs.js')>({
    program: programBeside(import.meta.url, './jobs'),
    maxThreads: MAX_THREADS,
    limit: { jobs: MAX_PAGES, refusal: refuse.markdownBusy },
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });

  async convert(read: () => Promise<Uint8Array>, withLinks: boolean, waiter?: Waiter): Promise<MarkdownPage> {
    const request = async () => ({ bytes: await read(), withLinks });
    return new MarkdownPage(await this.threads.run('convert', request, waiter));
  }

  drawnPages(
    site: DrawnSite,
    file: string,
    read: () => Promise<Uint8Array>,
    waiter?: Waiter,
  ): Promise<readonly DrawnPage[]> {
    const request = async () => ({ site, file, bytes: await read() });
    return this.threads.run('drawnPages', request, waiter);
  }

  bestBlocks(
    query: string,
    pages: readonly SearchedPage[],
    waiter?: Waiter,
  ): Promise<readonly (readonly FoundPiece[])[]> {
    const packed = pages.map(({ page, ...wanted }) => ({ page: page.packed, ...wanted }));
    return this.threads.run('bestBlocks', { query, pages: packed }, waiter);
  }

  close(): Promise<void> {
    return this.threads.close();
  }
}
