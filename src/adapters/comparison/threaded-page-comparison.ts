import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { PageComparison, PageDifference, SitePage } from '../../application/index.js';
import { refuse } from '../../domain/index.js';

const isSource = import.meta.url.endsWith('.ts');
const JOBS = fileURLToPath(new URL(isSource ? './jobs.ts' : './jobs.js', import.meta.url));
/** Max. jobs that wait for the thread. Each is a page to show, or a batch of pages to hash. */
const MAX_WAITING = 16;
/** Time that an idle thread keeps its memory, in milliseconds. */
const IDLE_MS = 30_000;
/** Mebibytes of the thread's heap. */
const HEAP_MIB = 256;

/** Compares pages on one worker thread, started on demand: more would only take processors from readers. */
export class ThreadedPageComparison implements PageComparison {
  private pool: Promise<Piscina> | undefined;
  private isClosed = false;

  async hashes(pages: readonly SitePage[]): Promise<readonly string[]> {
    return (await this.run('hashes', { pages })) as readonly string[];
  }

  async difference(before: SitePage, after: SitePage): Promise<PageDifference> {
    return (await this.run('difference', { before, after })) as PageDifference;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await (await this.pool)?.destroy();
  }

  private async run(name: keyof typeof import('./jobs.js'), request: object): Promise<unknown> {
    if (this.isClosed) throw refuse.closing();
    this.pool ??= open();
    const pool = await this.pool;
    if (pool.queueSize >= MAX_WAITING) throw refuse.comparisonBusy();
    return pool.run(request, { name });
  }
}

async function open(): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  // Sources run under tsx, which hooks only the main thread on Node 20: the thread registers it itself.
  const register = () => `import{register}from"${import.meta.resolve('tsx/esm/api')}";register()`;
  return new Piscina({
    filename: JOBS,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    recordTiming: false,
    execArgv: isSource ? ['--import', `data:text/javascript,${register()}`] : [],
  });
}
