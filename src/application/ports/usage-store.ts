import type { Day, Days, ProjectUsage, UnfoundDay } from '../../domain/index.js';

/** Key of the counts of a writer for a project on a day. */
export interface UsageKey {
  readonly project: string;
  readonly day: Day;
  /** A server, or an access log: 1 to 60 lower-case letters, digits and hyphens. No two writers have the same name. */
  readonly writer: string;
}

/**
 * Port for the store of read counts. Every adapter keeps these promises, which `test/contracts/usage-store.ts` checks:
 *
 * - Written counts read back as they were, for every path that a site can have.
 * - Writing again under the same key replaces what was there, whole or not at all. Nothing else changes.
 * - Counts that are damaged are left out, and keep nobody from reading the others.
 */
export interface UsageStore {
  /** @throws an error of the storage, such as one for a full disk; what was there stays */
  write(key: UsageKey, usage: ProjectUsage): Promise<void>;
  /** Yields the days of a range that have counts, in order, each with what every writer has counted. */
  read(
    project: string,
    days: Days,
  ): AsyncIterable<{ readonly day: Day; readonly usages: readonly ProjectUsage[] }>;
  /**
   * Writes the searches that found nothing, of all projects together, in place of those that the same writer wrote for this day.
   * @throws as `write`
   */
  writeSearches(writer: string, searches: UnfoundDay): Promise<void>;
  /** Returns those of a range of days, of every writer. */
  readSearches(days: Days): Promise<readonly UnfoundDay[]>;
  /** Removes the counts of all projects, and searches, from before a day. */
  removeBefore(day: Day): Promise<void>;
}
