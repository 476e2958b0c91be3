import { readFile } from 'node:fs/promises';
import { type ClockVerdict, judgeByLastRound } from '../../../domain/index.js';
import { unless } from '../../../node/system-errors.js';
import { type Disk, NOTHING_THERE, writeAndMove } from '../disk.js';
import type { Layout } from '../layout.js';
import type { Lease } from './lease.js';

/** Min. time between two notes of a server that runs, in milliseconds. */
const NOTE_EVERY_MS = 10 * 60_000;

/**
 * Time of the last round of housekeeping that believed its clock, of all servers on a docs directory: an ISO time in
 * `.lectern/last-housekeeping`. Without the file, there was none; whoever knows that the clock is right may remove it.
 */
export class LastRound {
  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly lease: Lease,
  ) {}

  /** See `DocStore.judgeClock`. */
  async judge(now: Date, uptimeMs: number | undefined): Promise<ClockVerdict> {
    const last = await this.read();
    const verdict = judgeByLastRound(last, now, uptimeMs);
    if (verdict.kind === 'doubtful') {
      return { ...verdict, why: `${verdict.why}. If the clock is right, remove ${this.layout.lastRound}` };
    }
    const isDue = last === undefined || now.getTime() - last.getTime() >= NOTE_EVERY_MS;
    const isNoted = verdict.kind === 'believed' && uptimeMs !== undefined && isDue && this.lease.isWritten;
    if (isNoted) await this.note(now);
    return verdict;
  }

  /**
   * The time for something that is removed now: with a clock that is behind, it would be kept for no time.
   * @param published when it was published, by the time stamp of its files
   */
  async timeOfRemoval(published?: Date): Promise<Date> {
    const times = [new Date(), await this.read(), published].map((time) => time?.getTime() ?? 0);
    return new Date(Math.max(...times));
  }

  /** A damaged file counts as none. */
  private async read(): Promise<Date | undefined> {
    const text = await unless(NOTHING_THERE, readFile(this.layout.lastRound, 'utf8'));
    const time = new Date(text?.trim() ?? Number.NaN);
    return Number.isNaN(time.getTime()) ? undefined : time;
  }

  /** Not synced: without it a server only waits for an hour. */
  private async note(now: Date): Promise<void> {
    const { disk, layout, lease } = this;
    await writeAndMove({ disk, layout, lease }, layout.lastRound, async (coming) => {
      const handle = await disk.open(coming, 'wx');
      try {
        await handle.writeFile(`${now.toISOString()}\n`);
      } finally {
        await handle.close();
      }
    });
  }
}
