import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, totalmem } from 'node:os';
import type { BuiltIndex, SearchableSite, SitePage } from '../../../application/index.js';
import { type Outcome, resultOf } from '../../../node/background/job.js';
import { nodeOptions, programBeside } from '../../../node/background/program.js';
import type { BuildTask, FromBuilder, PageBatch } from './build-program.js';

/**
 * Time that the process waits for another site, in milliseconds. Most of the cost of a small site is the start of a process, and
 * code that is not optimized yet.
 */
const IDLE_MS = 1_000;
/** Max. work of one process before it gives its memory back: databases, and bytes of the pages that they are made of. */
const MAX_DATABASES = 500;
const MAX_BYTES = 100_000_000;
/** Bytes of pages that are gathered before they are sent. */
const BATCH_BYTES = 500_000;
/** Bytes of a usual page. Longer ones are few, and may take memory of their own. */
const USUAL_PAGE_BYTES = 500_000;
/** Mebibytes of the process's heap. SQLite and the pages take more beside it. */
const HEAP_MIB = 128;
/** Bytes of memory that there have to be for two processes that build: each takes some 200 MB. */
const MIN_MEMORY_FOR_TWO = 2_000_000_000;

/** Writes databases in a process, one at a time. It writes several small ones, and ends when there is nothing left to write. */
export class Builder {
  /** Number of databases that it writes, or is to write. */
  waiting = 0;
  private process: BuilderProcess | undefined;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  /**
   * Writes the database of a site into a new file, once the databases that were asked for before are written. A build
   * that fails, or is aborted, takes the process with it: others begin with a new one.
   * @throws what `site` throws; the reason of `signal`; Error when the process fails
   */
  build(file: string, site: SearchableSite, signal?: AbortSignal): Promise<BuiltIndex> {
    this.waiting += 1;
    const result = this.last
      .then(() => this.buildNow(file, site, signal))
      .finally(() => {
        this.waiting -= 1;
      });
    this.last = result.catch(() => {});
    return result;
  }

  /** Ends the process, and with it what it writes. Safe to call twice. */
  close(): void {
    this.isClosed = true;
    this.end();
  }

  private async buildNow(file: string, site: SearchableSite, signal?: AbortSignal): Promise<BuiltIndex> {
    signal?.throwIfAborted();
    if (this.isClosed) throw new Error('the search index is closed');
    clearTimeout(this.idle);
    if (this.process?.isThere !== true) this.process = new BuilderProcess();
    const { process } = this;
    const abort = () => process.end();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const built = await process.build(file, site);
      signal?.throwIfAborted();
      const takesMore = process.databases < MAX_DATABASES && process.bytes < MAX_BYTES;
      if (takesMore) this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
      else this.end();
      return built;
    } catch (error) {
      this.end();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  private end(): void {
    clearTimeout(this.idle);
    this.process?.end();
    this.process = undefined;
  }
}

/** A process of low priority that writes databases, one at a time. The parent process reads the pages, wherever they are. */
class BuilderProcess {
  /** Number of databases that it has written, and bytes of pages that it was sent. */
  databases = 0;
  bytes = 0;
  private readonly child: ChildProcess;
  /** The pages that are gathered. `send` copies them. */
  private readonly gathered = new Uint8Array(BATCH_BYTES + USUAL_PAGE_BYTES);
  /** The end of what the process has written to its standard error. */
  private said = '';

  constructor() {
    this.child = fork(programBeside(import.meta.url, './build-program'), [], {
      execArgv: [`--max-old-space-size=${HEAP_MIB}`, ...nodeOptions()],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.stderr?.on('data', (chunk) => {
      this.said = `${this.said}${chunk}`.slice(-2_000);
    });
    // A failure while it is idle: the next build meets a process that is gone.
    this.child.on('error', () => {});
  }

  /** Whether it can take a database. */
  get isThere(): boolean {
    return this.child.connected;
  }

  /**
   * Writes the database of a site into a new file, and asks for pages as fast as it reads them.
   * @throws what `site` throws; Error when the process fails. It can't be used again then
   */
  async build(file: string, site: SearchableSite): Promise<BuiltIndex> {
    const sources = {
      sample: site.sample()[Symbol.asyncIterator](),
      pages: site.pages()[Symbol.asyncIterator](),
    };
    const done = new AbortController();
    const { signal } = done;
    try {
      const outcome = await new Promise<Outcome<BuiltIndex>>((resolve, reject) => {
        once(this.child, 'close', { signal }).then(([code, killed]) => {
          reject(new Error(`the indexing process ended with ${killed ?? code}: ${this.said.trim()}`));
        }, reject);
        const take = (message: FromBuilder) => {
          if (!('wants' in message)) return resolve(message);
          this.sendPages(sources[message.wants]).catch(reject);
        };
        this.child.on('message', take);
        signal.addEventListener('abort', () => this.child.off('message', take));
        this.send({ file });
      });
      this.databases += 1;
      return resultOf(outcome);
    } finally {
      done.abort();
      // Not awaited: a page that is being read may take long, and nobody waits for it.
      for (const source of Object.values(sources)) source.return?.().catch(() => {});
    }
  }

  /** Ends it, at once. Safe to call twice. */
  end(): void {
    this.child.kill('SIGKILL');
  }

  private async sendPages(source: AsyncIterator<SitePage>): Promise<void> {
    const pages: SitePage[] = [];
    let bytes = 0;
    while (bytes < BATCH_BYTES) {
      const { done, value } = await source.next();
      if (done) break;
      pages.push({ ...value, bytes: this.kept(value.bytes, bytes) });
      bytes += value.bytes.length;
    }
    this.bytes += bytes;
    this.send({ pages });
  }

  /** Returns a copy of a page's bytes, which change when the next page is read. It is gathered at the offset `at` if it fits. */
  private kept(bytes: Uint8Array, at: number): Uint8Array {
    const place = this.gathered.subarray(at, at + bytes.length);
    if (place.length < bytes.length) return bytes.slice();
    place.set(bytes);
    return place;
  }

  private send(message: BuildTask | PageBatch): void {
    if (this.child.connected) this.child.send(message);
  }
}

/** Bytes of memory of the machine, or of the container. 0 means a container without a limit, or an unknown one. */
const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** Max. processes that build at a time. */
export const MAX_BUILDERS = availableParallelism() > 1 && memory >= MIN_MEMORY_FOR_TWO ? 2 : 1;
