import { type Counted, isPreview, UsageTallies, type VersionId } from '../../domain/index.js';
import { KeyedMutex } from '../concurrency.js';
import type { UsageStore } from '../ports/usage-store.js';

/** Max. days in memory: an earlier one that could not be saved until then is forgotten. */
const MAX_DAYS = 2;

/** Use case: counts what readers ask for, in memory, and saves it from time to time. */
export class CountReads {
  private readonly tallies = new UsageTallies(MAX_DAYS);
  private readonly mutex = new KeyedMutex();
  private isFailing = false;

  constructor(
    private readonly store: Pick<UsageStore, 'write'>,
    /** Name of this process among all that count; see `UsageKey`. */
    private readonly writer: string,
    private readonly report: (message: string, fields: object) => void = () => {},
  ) {}

  /**
   * Counts a request. Previews are not counted.
   * @param path of the file that was read, or of the missing page; undefined for one that no page can have
   */
  count(counted: Counted, version: VersionId, path: string | undefined, now = new Date()): void {
    if (!isPreview(version)) this.tallies.count(counted, version, path, now);
  }

  /** Saves what has changed. Never fails: what cannot be saved is reported once, and tried again the next time. */
  save(now = new Date()): Promise<void> {
    return this.mutex.run('save', () => this.saveAll(now));
  }

  private async saveAll(now: Date): Promise<void> {
    let failure: unknown;
    for (const counted of this.tallies.all()) {
      if (counted.isSaved) continue;
      const { project, day, usage } = counted;
      // Before the file is written: what is counted meanwhile is in the next one.
      counted.isSaved = true;
      await this.store.write({ project, day, writer: this.writer }, usage).catch((error: unknown) => {
        counted.isSaved = false;
        failure = error;
      });
    }
    this.tallies.forgetSaved(now);
    if (failure !== undefined && !this.isFailing) {
      this.report('the counts of reads cannot be saved; trying again every minute', { err: failure });
    }
    this.isFailing = failure !== undefined;
  }
}
