import { lastDays } from '../../domain/index.js';
import type { Catalogues } from '../ports/doc-store.js';
import type { UsageStore } from '../ports/usage-store.js';

/** Days whose reads are summed up. */
const DAYS = 30;
/** Time after which reads are summed up again, in milliseconds. */
const MAX_AGE_MS = 3_600_000;

/** Reads of each project in the last 30 days, as they were summed up last. Nobody waits for the store. */
export class ProjectReads {
  private reads: ReadonlyMap<string, number> = new Map();
  private begunAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly docs: Pick<Catalogues, 'catalogue'>,
    private readonly store: Pick<UsageStore, 'read'>,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Reads of a project by its directory name; 0 until they have been summed up. Begins to sum up once an hour. */
  of(project: string): number {
    if (this.clock() - this.begunAt >= MAX_AGE_MS) {
      this.begunAt = this.clock();
      // What cannot be read is tried again an hour later; the order is as before until then.
      this.sumUp().catch(() => {});
    }
    return this.reads.get(project) ?? 0;
  }

  /**
   * Sums up the reads of all projects.
   * @throws what `UsageStore.read` throws; the sums are as before then
   */
  async sumUp(now = new Date()): Promise<void> {
    const reads = new Map<string, number>();
    const range = lastDays(DAYS, now);
    for (const { directoryName } of this.docs.catalogue().projects) {
      let sum = 0;
      for await (const { usages } of this.store.read(directoryName, range)) {
        for (const usage of usages) for (const version of usage.values()) sum += version.reads.total;
      }
      reads.set(directoryName, sum);
    }
    this.reads = reads;
  }
}
