import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** A time stamp with a fraction of a second has the resolution of a timer tick; others may be two seconds coarse. */
const FINE_MS = 100;
const COARSE_MS = 2_100;

/**
 * How far what is known of the directory can be relied on while it bears the stamp that was seen last: not at all; up
 * to what another process may have done in the same instant as this one; wholly.
 */
type Trust = 'none' | 'but-for-the-instant' | 'whole';

/**
 * The time stamps of a directory, which tell whether its entries may have changed since they were read. They are only
 * ever compared with one another, never with a clock that someone may set.
 */
export class DirectoryStamp {
  /** The stamp that was seen last, and since when. */
  private seen = { stamp: '', isCoarse: false, since: 0, trust: 'none' as Trust };
  /** Changes of this process to the directory's entries that are on their way to the disk. */
  private ownSteps = 0;

  /** @param onAdopted told when a stamp is trusted because a change of this process gave it */
  constructor(
    private readonly directory: string,
    private readonly onAdopted: () => void,
  ) {}

  get isTrustedWholly(): boolean {
    return this.seen.trust === 'whole';
  }

  /** Looks at the stamp, without waiting. */
  isTrusted(): boolean {
    try {
      // While a step is on its way, the stamp may have moved and may not.
      if (this.ownSteps === 0) this.see(statSync(this.directory, { bigint: true }));
      return this.seen.trust !== 'none';
    } catch {
      return false;
    }
  }

  /** @throws an error with an errno code when the directory cannot be reached */
  async look(): Promise<void> {
    this.see(await stat(this.directory, { bigint: true }));
  }

  /**
   * The entries have been read.
   * @param startedAt when that began, by `performance.now()`
   * @returns whether no other change can have the same stamp; as in git's index, the stamp may be too fresh for that
   */
  wasRead(startedAt: number): boolean {
    const isSettled = startedAt - this.seen.since > (this.seen.isCoarse ? COARSE_MS : FINE_MS);
    if (isSettled) this.seen = { ...this.seen, trust: 'whole' };
    return isSettled;
  }

  /** Makes one step of a change to the entries. What was trusted before it is trusted meanwhile and afterwards. */
  async step<T>(make: () => Promise<T>): Promise<T> {
    if (!this.isTrusted()) this.distrust();
    this.ownSteps += 1;
    let result: T;
    try {
      result = await make();
    } finally {
      this.ownSteps -= 1;
    }
    this.adopt();
    return result;
  }

  distrust(): void {
    this.seen = { ...this.seen, trust: 'none' };
  }

  private adopt(): void {
    if (this.seen.trust === 'none') return;
    try {
      this.see(statSync(this.directory, { bigint: true }));
      this.seen = { ...this.seen, since: performance.now(), trust: 'but-for-the-instant' };
      this.onAdopted();
    } catch {
      this.distrust();
    }
  }

  private see({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): void {
    const stamp = `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
    if (stamp === this.seen.stamp) return;
    const isCoarse = ctimeNs % 1_000_000_000n === 0n;
    this.seen = { stamp, isCoarse, since: performance.now(), trust: 'none' };
  }
}
