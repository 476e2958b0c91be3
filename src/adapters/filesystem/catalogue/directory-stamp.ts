import { type BigIntStats, statSync } from 'node:fs';

/** Resolution of time stamps: a timer tick if they have fractions of a second, else up to two seconds. */
const FINE_MS = 100;
const COARSE_MS = 2_100;

/**
 * Time stamps of a directory, which tell whether it may have changed since it was last read: they differ, or were so
 * recent at the last reading that a later change could have the same ones (as git does with its index).
 */
export class DirectoryStamp {
  /** The latest time stamps, and when they were first seen, by `performance.now()`. */
  private seen = { stamp: '', isCoarse: false, since: 0 };
  /** Time stamps that the last reading is up to date with. */
  private read = '';
  /** Number of calls of `forget`: a reading that began before the last one does not count. */
  private forgotten = 0;

  constructor(private readonly directory: string) {}

  /**
   * Looks at the time stamps. Sync: a promise would wake a thread and the event loop as well, at each poll of an idle
   * server. A disk that does not answer holds the process up, as it does for the pages on it, which are also opened in
   * sync calls.
   * @returns whether the directory may have changed
   * @throws an error with an errno code
   */
  look(): boolean {
    const found = statSync(this.directory, { bigint: true });
    const stamp = stampOf(found);
    if (stamp !== this.seen.stamp) {
      this.seen = { stamp, isCoarse: found.ctimeNs % 1_000_000_000n === 0n, since: performance.now() };
    }
    return stamp !== this.read;
  }

  /**
   * Notes that a reading begins. Returns a function to call once it is complete, which throws an error with an errno code
   * where the time stamps cannot be looked at.
   */
  reading(): () => void {
    const { stamp, isCoarse, since } = this.seen;
    const isTrusted = performance.now() - since > (isCoarse ? COARSE_MS : FINE_MS);
    const { forgotten } = this;
    return () => {
      if (!isTrusted || this.forgotten !== forgotten) return;
      // Where a disk was unmounted meanwhile, another directory was read. The first one comes back with the same time stamps.
      const found = statSync(this.directory, { bigint: true, throwIfNoEntry: false });
      if (found !== undefined && stampOf(found) === stamp) this.read = stamp;
    };
  }

  /** Takes the directory for changed at the next look, whatever reading is under way. */
  forget(): void {
    this.read = '';
    this.forgotten += 1;
  }
}

function stampOf({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
}
