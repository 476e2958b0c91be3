import { randomBytes } from 'node:crypto';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disk, errnoOf, syncDirectory, unless } from '../disk.js';
import { type Fate, fateOf, isOfThisBoot, thisProcess } from './process-identity.js';

/** Interval between two renewals of a lease, in milliseconds. */
const HEARTBEAT_MS = 15_000;
const ENDED = '.ended';

/**
 * A lease says that a server is running: a link whose target, which leads nowhere, is its process. A link is there with
 * its content in one step, so nobody ever reads half a lease. What a server makes in `.lectern` carries the id of its
 * lease; another one, at its start, can tell what a crash left behind from what is just being made.
 */
export class Lease {
  private made = 0;
  private heartbeat: NodeJS.Timeout | undefined;
  private beating: Promise<void> = Promise.resolve();
  private readonly start = Date.now() - performance.now();

  private constructor(
    private readonly disk: Disk,
    private readonly directory: string | undefined,
    readonly id: string,
  ) {}

  /** A lease on a directory that cannot be written: nothing is ever left in it. */
  static unwritten(disk: Disk): Lease {
    return new Lease(disk, undefined, newId());
  }

  static async take(disk: Disk, directory: string): Promise<Lease> {
    const lease = new Lease(disk, directory, newId());
    await lease.write();
    lease.heartbeat = setInterval(() => {
      // The directory may be gone for a while; the next beat tries again.
      lease.beating = lease.renew().catch(() => {});
    }, HEARTBEAT_MS).unref();
    return lease;
  }

  /** A name that nothing else has, and that tells whose it is. */
  nextName(): string {
    this.made += 1;
    return `${this.id}.${this.made}`;
  }

  /** Touches the lease, and writes it again when someone has removed it. */
  async renew(): Promise<void> {
    if (this.directory === undefined) return;
    // Whichever way the clock was set meanwhile: never later than what was published before.
    const seconds = Math.min(Date.now(), this.start + performance.now()) / 1_000;
    const renewed = this.disk.lutimes(join(this.directory, this.id), seconds, seconds).then(() => true);
    if ((await unless(['ENOENT'], renewed)) === undefined) await this.write();
  }

  /**
   * Ends the lease of a server that has left everything in order.
   * @param isWrittenBack whether the system has had the time to write all that was published to the disk;
   *   otherwise the lease stays, as an ended one, in case that the power fails before that
   */
  async giveBack(isWrittenBack: boolean): Promise<void> {
    this.stop();
    await this.beating;
    if (this.directory === undefined) return;
    const file = join(this.directory, this.id);
    await unless(['ENOENT'], isWrittenBack ? this.disk.unlink(file) : this.disk.rename(file, file + ENDED));
  }

  /** Leaves the lease as a crash would. */
  stop(): void {
    clearInterval(this.heartbeat);
  }

  private async write(): Promise<void> {
    const directory = this.directory ?? '';
    const { ino } = await stat(directory, { bigint: true });
    const target = JSON.stringify(thisProcess(String(ino)));
    await unless(['EEXIST'], this.disk.symlink(target, join(directory, this.id)));
    await syncDirectory(this.disk, directory);
  }
}

function newId(): string {
  return `${Date.now().toString(36)}-${randomBytes(5).toString('hex')}`;
}

/** The id of the lease under which `name` was made; undefined when it was made under none: it is not ours. */
export function leaseIdOf(name: string): string | undefined {
  return /^([0-9a-z]+-[0-9a-f]{10})\.\d+(?:\.|$)/.exec(name)?.[1];
}

export interface FoundLease {
  readonly id: string;
  readonly file: string;
  readonly fate: Fate;
  /** Its server ended in order. */
  readonly hasEnded: boolean;
  readonly isOfThisBoot: boolean;
  /** When its server is known to have run, by the clock of the file system. */
  readonly lastSeenMs: number;
  /** Changes whenever the lease is renewed, whatever clock does it. */
  readonly stamp: bigint;
}

/** The leases of all servers on this docs directory, the crashed ones included. */
export async function findLeases(directory: string): Promise<readonly FoundLease[]> {
  const self = thisProcess(String((await stat(directory, { bigint: true })).ino));
  const found: FoundLease[] = [];
  for (const name of await readdir(directory)) {
    const [, id, ended] = /^([0-9a-z]+-[0-9a-f]{10})(\.ended)?$/.exec(name) ?? [];
    if (id === undefined) continue;
    const file = join(directory, name);
    try {
      const [text, { ctimeNs, mtimeMs }] = await Promise.all([readlink(file), lstat(file, { bigint: true })]);
      found.push({
        id,
        file,
        fate: ended === undefined ? fateOf(text, self) : 'dead',
        hasEnded: ended !== undefined,
        isOfThisBoot: isOfThisBoot(text, self),
        lastSeenMs: Number(mtimeMs),
        stamp: ctimeNs,
      });
    } catch (error) {
      // Just given back, or no link, and so none of ours.
      if (!['ENOENT', 'EINVAL'].includes(errnoOf(error) ?? '')) throw error;
    }
  }
  return found;
}
