import type { BuiltIndex, SearchableSite } from '../../../application/index.js';
import { BuilderProcess } from './builder-process.js';

/**
 * Time that the process waits for another site, in milliseconds. Most of what a small site costs is the start of a process, and
 * code that is not optimized yet.
 */
const IDLE_MS = 1_000;
/** What one process writes at most before it gives its memory back: databases, and bytes of pages that they are made of. */
const MAX_DATABASES = 500;
const MAX_BYTES = 100_000_000;

/** Writes databases in a process, one at a time. It writes several small ones, and ends when there is nothing left to write. */
export class Builder {
  /** Number of databases that it writes, or is to write. */
  waiting = 0;
  private process: BuilderProcess | undefined;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  /**
   * Writes the database of a site into a new file, once those that were asked for before are written. A build that fails, or
   * is aborted, takes the process with it: others begin with a new one.
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
      if (process.databases < MAX_DATABASES && process.bytes < MAX_BYTES) this.endWhenIdle();
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

  private endWhenIdle(): void {
    this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
  }

  private end(): void {
    clearTimeout(this.idle);
    this.process?.end();
    this.process = undefined;
  }
}
