import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { refuse } from '../../../domain/index.js';
import { type Disk, errnoOf, unless } from '../disk.js';
import { findLeases, type Lease, leaseIdOf } from '../housekeeping/lease.js';
import type { Serial } from '../serial.js';

/** Max. wait for a lock of another process, in milliseconds; only a hanging disk keeps one that long. */
const MAX_WAIT_MS = 20_000;
const RETRY_MS = 5;
const MAX_RETRY_MS = 100;
/** Delay before a failed release is retried, in milliseconds. */
const RELEASE_RETRY_MS = 1_000;
/** Prefix of links that inherit a lock: no version's name begins with a dot. */
const AFTER = '.after.';

/**
 * Locks of versions among all processes: one change to a version at a time. A lock is a link, `locks/<key>`, whose
 * target is a name from its holder's lease; only one process can create it.
 *
 * The lock of a dead lease is inherited, never removed by waiting processes: between the check and the removal, another
 * one could acquire it. To inherit from the holder `x` is to create the link `.after.x`, which again only one process
 * can, since lease names are never reused. The creator of the last link of this chain holds the lock, as long as the
 * chain begins at `<key>`. A release removes `<key>` first.
 */
export class VersionLocks {
  /** Links of each held lock, in the order of their removal. */
  private readonly held = new Map<string, readonly string[]>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly disk: Disk,
    private readonly directory: string,
    private readonly running: string,
    private readonly lease: Lease,
    /** Queue of this process's changes to one version, ahead of the lock. */
    private readonly serial: Serial,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  /**
   * Runs `work` under the lock of a version.
   * @throws Refusal `unavailable` when a living process keeps the lock
   */
  async run<T>(version: string, work: () => Promise<T>): Promise<T> {
    const lock = this.serial.keyOf(version);
    return this.serial.run(version, async () => {
      await this.acquire(lock);
      try {
        return await work();
      } finally {
        await this.release(lock);
      }
    });
  }

  /** Releases the locks of dead leases. Links that cannot be removed are left for the next start. */
  async sweep(): Promise<void> {
    const names = await readdir(this.directory);
    const dead = [];
    for (const name of names) if (await this.isDead(await this.holderOf(name))) dead.push(name);
    for (const name of dead) {
      if (!name.startsWith(AFTER)) await this.serial.run(name, () => this.acquireAndRelease(name));
    }
    // Links of holders that died during a release: the links before them are gone for good.
    for (const name of dead) if (name.startsWith(AFTER)) await this.remove(name);
  }

  /** Retries failed releases. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    for (const version of this.held.keys()) await this.serial.run(version, () => this.release(version));
    clearTimeout(this.timer);
  }

  private async acquireAndRelease(version: string): Promise<void> {
    // Its new holder, if any, releases it.
    if (await this.tryAcquire(version)) await this.release(version);
  }

  private async acquire(version: string): Promise<void> {
    const end = performance.now() + this.maxWaitMs;
    for (let pause = RETRY_MS; !(await this.tryAcquire(version)); pause = Math.min(2 * pause, MAX_RETRY_MS)) {
      if (performance.now() > end)
        throw refuse.storageUnavailable({ cause: new Error(`${version} is locked`) });
      await wait(pause);
    }
  }

  private async tryAcquire(version: string): Promise<boolean> {
    const links: string[] = [];
    let own = this.lease.nextName();
    for (let link = version; ; ) {
      links.push(link);
      const made = this.disk.symlink(own, join(this.directory, link)).then(() => true);
      if ((await unless(['EEXIST'], made)) === true) break;
      const holder = await this.holderOf(link);
      if (holder === undefined) return false;
      if (leaseIdOf(holder) === this.lease.id) {
        // An earlier release failed; `serial` rules out a concurrent change in this process.
        own = holder;
        break;
      }
      if (!(await this.isDead(holder))) return false;
      link = AFTER + holder;
    }
    if (links.length > 1 && !(await this.isChain(links, own))) {
      await this.remove(links.at(-1) ?? '');
      return false;
    }
    this.held.set(version, links);
    return true;
  }

  /** Whether each link still leads to the next one, and the last one is the caller's. */
  private async isChain(links: readonly string[], own: string): Promise<boolean> {
    for (const [index, link] of links.entries()) {
      const next = links[index + 1];
      const expected = next === undefined ? own : next.slice(AFTER.length);
      if ((await this.holderOf(link)) !== expected) return false;
    }
    return true;
  }

  /** Does not throw, since the change is done: a failed release is retried. */
  private async release(version: string): Promise<void> {
    try {
      for (const link of this.held.get(version) ?? []) await this.remove(link);
      this.held.delete(version);
    } catch {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.close(), RELEASE_RETRY_MS).unref();
    }
  }

  private async remove(link: string): Promise<void> {
    await unless(['ENOENT'], this.disk.unlink(join(this.directory, link)));
  }

  private async holderOf(link: string): Promise<string | undefined> {
    try {
      return await readlink(join(this.directory, link));
    } catch (error) {
      // Gone, or not a link and so not a lock.
      if (['ENOENT', 'EINVAL'].includes(errnoOf(error) ?? '')) return undefined;
      throw error;
    }
  }

  /** Whether the lease of a lock's holder is dead or missing. */
  private async isDead(holder: string | undefined): Promise<boolean> {
    const id = holder === undefined ? undefined : leaseIdOf(holder);
    if (id === undefined) return false;
    const lease = (await findLeases(this.running)).find((found) => found.id === id);
    return lease === undefined || lease.fate === 'dead';
  }
}
