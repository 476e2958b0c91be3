import type { UsageKey, UsageStore } from '../../src/application/index.js';
import type { Day, Days, ProjectUsage, UnfoundDay } from '../../src/domain/index.js';

/** Counts of reads, in memory. */
export class MemoryUsageStore implements UsageStore {
  private kept: readonly (UsageKey & { readonly usage: ProjectUsage })[] = [];

  private searches: readonly (UnfoundDay & { readonly writer: string })[] = [];

  async write(key: UsageKey, usage: ProjectUsage): Promise<void> {
    const { project, day, writer } = key;
    const others = this.kept.filter(
      (each) => each.project !== project || each.day !== day || each.writer !== writer,
    );
    // A copy: whoever counts goes on counting.
    this.kept = [...others, { ...key, usage: structuredClone(usage) }];
  }

  async *read(
    project: string,
    { from, to }: Days,
  ): AsyncGenerator<{ readonly day: Day; readonly usages: readonly ProjectUsage[] }> {
    const found = this.kept.filter((each) => each.project === project && each.day >= from && each.day <= to);
    for (const day of [...new Set(found.map((each) => each.day))].sort()) {
      yield { day, usages: found.filter((each) => each.day === day).map(({ usage }) => usage) };
    }
  }

  async writeSearches(writer: string, searches: UnfoundDay): Promise<void> {
    const others = this.searches.filter((each) => each.writer !== writer || each.day !== searches.day);
    this.searches = [...others, structuredClone({ writer, ...searches })];
  }

  async readSearches({ from, to }: Days): Promise<readonly UnfoundDay[]> {
    return this.searches
      .filter(({ day }) => day >= from && day <= to)
      .map(({ day, searches }) => ({ day, searches }));
  }

  async removeBefore(day: Day): Promise<void> {
    this.searches = this.searches.filter((each) => each.day >= day);
    this.kept = this.kept.filter((each) => each.day >= day);
  }
}
