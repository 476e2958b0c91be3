import { randomBytes } from 'node:crypto';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../../node/directories.js';
import { hasErrno, isDone, unless } from '../../../node/system-errors.js';
import type { Disk } from '../disk.js';
import { type Fate, fateOf, isOfThisBoot, ownerOf, thisProcess } from './process-identity.js';

/** Interval between renewals of a lease, in milliseconds. */
const HEARTBEAT_MS = 30_000;
const ENDED = '.ended';

/**
 * The lease of a running server: a dangling link whose target describes the process. A link is created with its content
 * in one step, so nobody reads half a lease. Names of a server's files in `.lectern` begin with its lease id, so that
 * other servers can tell leftovers of a crash from files in use.
 */
export class Lease {
  /** The file system that the lease was written to first. */
  device: bigint | undefined;
  private made = 0;
  private heartbeat: NodeJS.Timeout | undefined;
  private beating: Promise<void> = Promise.resolve();
  private readonly start = Date.now() - performance.now();

  private constructor(
    private readonly disk: Disk,
    private readonly directory: string | undefined,
    readonly id: string,
  ) {}

  /** A lease that is not written to disk, for a process that only reads. */
  static unwritten(disk: Disk): Lease {
    return new Lease(disk, undefined, newId());
  }

  static async take(disk: Disk, directory: string): Promise<Lease> {
    const lease = new Lease(disk, directory, newId());
    await lease.write();
    lease.heartbeat = setInterval(() => {
      // The directory may be gone for a while; the next heartbeat tries again.
      lease.beating = lease.renew().catch(() => {});
    }, HEARTBEAT_MS).unref();
    return lease;
  }

  get isWritten(): boolean {
    return this.directory !== undefined;
  }

  /** A unique name that begins with the lease id. */
  nextName(): string {
    this.made += 1;
    return `${this.id}.${this.made}`;
  }

  /** Touches the lease, or writes it again when it was removed. */
  async renew(): Promise<void> {
    if (this.directory === undefined) return;
    // The earlier of two clocks: a changed clock must not make the lease newer than recent files.
    const seconds = Math.min(Date.now(), this.start + performance.now()) / 1_000;
    const renewing = this.disk.lutimes(join(this.directory, this.id), seconds, seconds);
    if (!(await isDone(['ENOENT'], renewing))) await this.write();
  }

  /**
   * Ends the lease after a clean shutdown.
   * @param isWrittenBack whether the system has had time to write everything that was published to disk; otherwise the
   *   lease stays, marked as ended, in case of a power cut
   */
  async giveBack(isWrittenBack: boolean): Promise<void> {
    this.stop();
    await this.beating;
    if (this.directory === undefined) return;
    const file = join(this.directory, this.id);
    await unless(['ENOENT'], isWrittenBack ? this.disk.unlink(file) : this.disk.rename(file, file + ENDED));
  }

  /** Stops renewing, and leaves the lease as a crash would. */
  stop(): void {
    clearInterval(this.heartbeat);
  }

  private async write(): Promise<void> {
    const directory = this.directory ?? '';
    const { dev, ino } = await stat(directory, { bigint: true });
    this.device ??= dev;
    const target = JSON.stringify(thisProcess(String(ino)));
    await unless(['EEXIST'], this.disk.symlink(target, join(directory, this.id)));
    await syncDirectory(this.disk, directory);
  }
}

/** Returns whether a lease is the oldest one that is not dead. */
export async function isFirstLease({ id, isWritten }: Lease, directory: string): Promise<boolean> {
  if (!isWritten) return true;
  const others = await findLeases(directory);
  return !others.some((lease) => lease.fate !== 'dead' && lease.id < id);
}

function newId(): string {
  return `${Date.now().toString(36)}-${randomBytes(5).toString('hex')}`;
}

/** The lease id in a name; undefined for a name that is not from a lease. */
export function leaseIdOf(name: string): string | undefined {
  return /^([0-9a-z]+-[0-9a-f]{10})\.\d+(?:\.|$)/.exec(name)?.[1];
}

export interface FoundLease {
  readonly id: string;
  readonly file: string;
  readonly fate: Fate;
  /** Whether its server shut down cleanly. */
  readonly hasEnded: boolean;
  readonly isOfThisBoot: boolean;
  /** Time of the last renewal, in milliseconds since 1970: the link's mtime. */
  readonly lastSeenMs: number;
  /** The link's ctime: changes with each renewal, whatever clock sets it. */
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
      const owner = ownerOf(text);
      found.push({
        id,
        file,
        fate: ended === undefined ? fateOf(owner, self) : 'dead',
        hasEnded: ended !== undefined,
        isOfThisBoot: isOfThisBoot(owner, self),
        lastSeenMs: Number(mtimeMs),
        stamp: ctimeNs,
      });
    } catch (error) {
      // Just removed, or not a link and so not a lease.
      if (!hasErrno(error, ['ENOENT', 'EINVAL'])) throw error;
    }
  }
  return found;
}

/** Takes leases of unknown fate for dead whose stamp is that of an earlier look, by lease id: no clock has to be right. */
export function judgeByRenewal(leases: readonly FoundLease[], before: ReadonlyMap<string, bigint>) {
  const isDead = ({ id, fate, stamp }: FoundLease) => fate === 'unknown' && before.get(id) === stamp;
  return leases.map((lease): FoundLease => (isDead(lease) ? { ...lease, fate: 'dead' } : lease));
}
