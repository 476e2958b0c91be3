import type { UsageKey, UsageStore } from '../../src/application/index.js';
import type { Day, Days, ProjectUsage } from '../../src/domain/index.js';

/** Counts of reads, in memory. */
export class MemoryUsageStore implements UsageStore {
  private kept: readonly (UsageKey & { readonly usage: ProjectUsage })[] = [];

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

  async removeBefore(day: Day): Promise<void> {
    this.kept = this.kept.filter((each) => each.day >= day);
  }
}
