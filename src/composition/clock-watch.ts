import type { Upkeep } from '../application/index.js';

/** Judges the clock of this machine, and says when a doubt begins and ends. */
export class ClockWatch {
  private isInDoubt = false;

  /** @param report receives one line for each beginning and each end */
  constructor(
    private readonly docs: Pick<Upkeep, 'judgeClock'>,
    private readonly report: (message: string, fields: object) => void,
  ) {}

  /** Whether something spoke against the clock at the last look. */
  get isDoubtful(): boolean {
    return this.isInDoubt;
  }

  /** @returns whether the clock is believed; never while the storage is out of reach */
  async believes(now: Date, uptimeMs: number): Promise<boolean> {
    const verdict = await this.docs.judgeClock(now, uptimeMs).catch(() => undefined);
    if (verdict === undefined) return false;
    const isDoubtful = verdict.kind === 'doubtful';
    if (isDoubtful && !this.isInDoubt) {
      this.report(
        `the clock of this machine is in doubt: ${verdict.why}. Until then nothing is removed by time`,
        {},
      );
    }
    if (!isDoubtful && this.isInDoubt) {
      this.report('the clock of this machine is not in doubt any more', {});
    }
    this.isInDoubt = isDoubtful;
    return verdict.kind === 'believed';
  }
}
