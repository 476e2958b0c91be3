import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { KeyedMutex } from '../../../application/index.js';
import { refuse } from '../../../domain/index.js';
import { isDone, unless } from '../../../node/system-errors.js';
import { type Disk, NOTHING_THERE } from '../disk.js';
import { findLeases, type Lease, leaseIdOf } from '../housekeeping/lease.js';
import type { Layout } from '../layout.js';

/** Max. wait for a lock of another process, in milliseconds; only a hanging disk keeps one that long. */
const MAX_WAIT_MS = 20_000;
const RETRY_MS = 5;
const MAX_RETRY_MS = 100;
/** Delay before a failed release is retried, in milliseconds. */
const RELEASE_RETRY_MS = 1_000;
const NOT_EMPTY = ['ENOTEMPTY', 'EEXIST'];

/**
 * Locks of versions among all processes: one change to a version at a time. A lock is a directory, `locks/<key>`, that
 * holds one entry, a name from its holder's lease. It is made elsewhere with its entry, and renamed into place: a
 * directory can be renamed over an empty one, but not over another lock.
 *
 * The lock of a dead lease is emptied by whoever waits for it. The entry is removed by name, and lease names are never
 * reused, so nobody removes a lock that another process has just acquired.
 */
export class VersionLocks {
  /** Keys of locks that this process still holds, since their release failed. */
  private readonly unreleased = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly lease: Lease,
    /** Queue of this process's changes to one version, ahead of the lock. */
    private readonly mutex: KeyedMutex,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  /**
   * Runs `work` under the lock of a version.
   * @throws Refusal `unavailable` when a living process keeps the lock
   */
  async run<T>(version: string, work: () => Promise<T>): Promise<T> {
    const key = this.mutex.keyOf(version);
    return this.mutex.run(version, async () => {
      if (!this.unreleased.delete(key)) await this.acquire(key);
      try {
        return await work();
      } finally {
        await this.release(key);
      }
    });
  }

  /** Runs `work` under the locks of several versions. */
  async runAll<T>(versions: readonly string[], work: () => Promise<T>): Promise<T> {
    // In one order for all, and each key once: otherwise they would wait for one another, or for themselves.
    const byKey = new Map(versions.map((version) => [this.mutex.keyOf(version), version]));
    const names = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, version]) => version);
    return names.reduceRight((inner, name) => () => this.run(name, inner), work)();
  }

  /** Releases the locks of dead leases. */
  async sweep(): Promise<void> {
    for (const key of await readdir(this.layout.locks)) {
      await this.releaseDead(key);
      await unless([...NOT_EMPTY, 'ENOENT', 'ENOTDIR'], this.disk.rmdir(this.path(key)));
    }
  }

  /** Retries failed releases. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    for (const key of this.unreleased) await this.mutex.run(key, () => this.release(key));
    clearTimeout(this.timer);
  }

  private async acquire(key: string): Promise<void> {
    const end = performance.now() + this.maxWaitMs;
    const name = this.lease.nextName();
    const coming = join(this.layout.incoming, name);
    try {
      await this.disk.mkdir(coming);
      await this.disk.mkdir(join(coming, name));
      for (let pause = RETRY_MS; ; pause = Math.min(2 * pause, MAX_RETRY_MS)) {
        if (await isDone(NOT_EMPTY, this.disk.rename(coming, this.path(key)))) return;
        if (performance.now() > end) {
          throw refuse.storageUnavailable({ cause: new Error(`${key} is locked`) });
        }
        if (!(await this.releaseDead(key))) await wait(pause);
      }
    } catch (error) {
      await this.disk.rm(coming, { recursive: true, force: true }).catch(() => {});
      throw error;
    }
  }

  /** Does not throw, since the change is done: a failed release is retried. */
  private async release(key: string): Promise<void> {
    try {
      for (const holder of await this.holders(key)) {
        if (leaseIdOf(holder) === this.lease.id) await this.disk.rmdir(join(this.path(key), holder));
      }
      this.unreleased.delete(key);
    } catch {
      this.unreleased.add(key);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.close(), RELEASE_RETRY_MS).unref();
      return;
    }
    // An empty lock hinders nobody. Another process may hold it already.
    await this.disk.rmdir(this.path(key)).catch(() => {});
  }

  /** @returns whether the holder's lease was dead or missing */
  private async releaseDead(key: string): Promise<boolean> {
    let isReleased = false;
    for (const holder of await this.holders(key)) {
      const id = leaseIdOf(holder);
      if (id === undefined) continue;
      const lease = (await findLeases(this.layout.running)).find((found) => found.id === id);
      if (lease !== undefined && lease.fate !== 'dead') continue;
      await unless(['ENOENT'], this.disk.rmdir(join(this.path(key), holder)));
      isReleased = true;
    }
    return isReleased;
  }

  private async holders(key: string): Promise<readonly string[]> {
    return (await unless(NOTHING_THERE, readdir(this.path(key)))) ?? [];
  }

  private path(key: string): string {
    return join(this.layout.locks, key);
  }
}
