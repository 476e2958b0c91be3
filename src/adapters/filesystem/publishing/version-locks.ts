import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { refuse } from '../../../domain/index.js';
import { type Disk, errnoOf, unless } from '../disk.js';
import { findLeases, type Lease, leaseIdOf } from '../housekeeping/lease.js';
import type { Serial } from '../serial.js';

/** Max. time that a change waits for another process, in milliseconds: none takes as long but on a disk that hangs. */
const MAX_WAIT_MS = 20_000;
const RETRY_MS = 5;
const MAX_RETRY_MS = 100;
/** Time until a lock that could not be given back is given back again. */
const GIVE_BACK_AGAIN_MS = 1_000;
/** Prefix of links that inherit a lock: no version's name begins with a dot. */
const AFTER = '.after.';

/**
 * Locks of versions: one change at a time happens to a version, among all processes. A lock is a link, `locks/<key>`,
 * whose target is a name from its holder's lease; only one process can make it.
 *
 * The lock of a dead lease is inherited, never removed by those who wait: of several that have found it, another one
 * could have taken it meanwhile. To inherit from the holder `x` means to make the link `.after.x`, which again only one
 * can, since no name of a lease is used twice. The holder of a lock is who made the last link of this chain; it counts
 * only while the chain still begins at `<key>`, and giving the lock back removes that link first.
 */
export class VersionLocks {
  /** The links to remove for each lock, first one first. */
  private readonly held = new Map<string, readonly string[]>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly disk: Disk,
    private readonly directory: string,
    private readonly running: string,
    private readonly lease: Lease,
    /** Changes to one version in this process queue here, before they ask for the lock. */
    private readonly serial: Serial,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  /**
   * Does something to a version while nobody else does.
   * @throws Refusal `unavailable` when a living process keeps the lock
   */
  async run<T>(version: string, work: () => Promise<T>): Promise<T> {
    const lock = this.serial.keyOf(version);
    return this.serial.run(version, async () => {
      await this.take(lock);
      try {
        return await work();
      } finally {
        await this.giveBack(lock);
      }
    });
  }

  /** Gives back what dead leases hold. What cannot be removed is left for the next start. */
  async sweep(): Promise<void> {
    const names = await readdir(this.directory);
    const dead = [];
    for (const name of names) if (await this.isDead(await this.holderOf(name))) dead.push(name);
    for (const name of dead) {
      if (!name.startsWith(AFTER)) await this.serial.run(name, () => this.takeAndGiveBack(name));
    }
    // Left by holders that died while they gave back: the links that these belonged to are gone for good by now.
    for (const name of dead) if (name.startsWith(AFTER)) await this.remove(name);
  }

  /** Gives back what could not be given back so far. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    for (const version of this.held.keys()) await this.serial.run(version, () => this.giveBack(version));
    clearTimeout(this.timer);
  }

  private async takeAndGiveBack(version: string): Promise<void> {
    // Whoever has it by now gives it back.
    if (await this.tryToTake(version)) await this.giveBack(version);
  }

  private async take(version: string): Promise<void> {
    const end = performance.now() + this.maxWaitMs;
    for (let pause = RETRY_MS; !(await this.tryToTake(version)); pause = Math.min(2 * pause, MAX_RETRY_MS)) {
      if (performance.now() > end)
        throw refuse.storageUnavailable({ cause: new Error(`${version} is locked`) });
      await wait(pause);
    }
  }

  private async tryToTake(version: string): Promise<boolean> {
    const links: string[] = [];
    let own = this.lease.nextName();
    for (let link = version; ; ) {
      links.push(link);
      const made = this.disk.symlink(own, join(this.directory, link)).then(() => true);
      if ((await unless(['EEXIST'], made)) === true) break;
      const holder = await this.holderOf(link);
      if (holder === undefined) return false;
      if (leaseIdOf(holder) === this.lease.id) {
        // This process could not give it back: nobody else in it is at work on this version.
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

  /** Whether each of the links still leads to the next one, and the last one is the caller's. */
  private async isChain(links: readonly string[], own: string): Promise<boolean> {
    for (const [index, link] of links.entries()) {
      const next = links[index + 1];
      const expected = next === undefined ? own : next.slice(AFTER.length);
      if ((await this.holderOf(link)) !== expected) return false;
    }
    return true;
  }

  /** Does not throw: whatever was done under the lock is done. */
  private async giveBack(version: string): Promise<void> {
    try {
      for (const link of this.held.get(version) ?? []) await this.remove(link);
      this.held.delete(version);
    } catch {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.close(), GIVE_BACK_AGAIN_MS).unref();
    }
  }

  private async remove(link: string): Promise<void> {
    await unless(['ENOENT'], this.disk.unlink(join(this.directory, link)));
  }

  private async holderOf(link: string): Promise<string | undefined> {
    try {
      return await readlink(join(this.directory, link));
    } catch (error) {
      // Gone, or no link, and so none of ours.
      if (['ENOENT', 'EINVAL'].includes(errnoOf(error) ?? '')) return undefined;
      throw error;
    }
  }

  /** Whether the lease that a lock was taken under is no more. */
  private async isDead(holder: string | undefined): Promise<boolean> {
    const id = holder === undefined ? undefined : leaseIdOf(holder);
    if (id === undefined) return false;
    const lease = (await findLeases(this.running)).find((found) => found.id === id);
    return lease === undefined || lease.fate === 'dead';
  }
}
