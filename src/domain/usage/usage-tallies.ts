import type { VersionId } from '../names/version-id.js';
import {
  type Counted,
  type GrowingUsage,
  MAX_COUNTED_PATHS,
  MAX_COUNTED_PATHS_OF_ALL,
  MAX_MISSING_PATH,
  noTotals,
  noUsage,
  type ProjectUsage,
  type Totals,
} from './counts.js';
import { DAY_MS, type Day, dayOf } from './day.js';

interface OpenDay {
  /** Paths of all projects that are counted by themselves. */
  readonly taken: Totals;
  readonly projects: Map<string, CountedDay>;
}

/** Counts requests for all projects, by day, in bounded memory. */
export class UsageTallies {
  /** By days since 1970. */
  private readonly days = new Map<number, OpenDay>();

  /** @param maxDays days in memory; the earliest is forgotten when another one begins */
  constructor(private readonly maxDays: number) {}

  /** @param path of the file that was read, or of the missing page; undefined for one that no page can have */
  count(counted: Counted, { project: name, label }: VersionId, path: string | undefined, time: Date): void {
    const { projects, taken } = this.dayAt(time);
    const project = projects.get(name) ?? new CountedDay(name, dayOf(time), taken);
    projects.set(name, project);
    project.count(counted, label, path);
  }

  /** Everything that was counted, the earliest day first. */
  all(): readonly CountedDay[] {
    const days = [...this.days].sort(([a], [b]) => a - b);
    return days.flatMap(([, { projects }]) => [...projects.values()]);
  }

  /** Forgets the days before that of a time that have been saved. */
  forgetSaved(time: Date): void {
    for (const [number, { projects }] of this.days) {
      const isOver = number < numberOf(time);
      if (isOver && [...projects.values()].every(({ isSaved }) => isSaved)) this.days.delete(number);
    }
  }

  private dayAt(time: Date): OpenDay {
    const number = numberOf(time);
    const known = this.days.get(number);
    if (known !== undefined) return known;
    const begun = { taken: noTotals(), projects: new Map() };
    this.days.set(number, begun);
    if (this.days.size > this.maxDays) this.days.delete(Math.min(...this.days.keys()));
    return begun;
  }
}

/** Counts of a project on one day, in bounded memory. */
class CountedDay {
  private readonly versions = new Map<string, GrowingUsage>();
  readonly usage: ProjectUsage = this.versions;
  /** Whether whoever saves it has done so since it was changed. */
  isSaved = false;
  private readonly taken = noTotals();

  constructor(
    readonly project: string,
    readonly day: Day,
    private readonly takenByAll: Totals,
  ) {}

  /** @param path undefined for one that cannot be told, such as an invalid one */
  count(counted: Counted, label: string, path: string | undefined): void {
    this.isSaved = false;
    const version = this.versions.get(label) ?? noUsage();
    this.versions.set(label, version);
    const counts = version[counted];
    counts.total += 1;
    if (path === undefined) return;
    const known = counts.paths.get(path);
    if (known !== undefined) counts.paths.set(path, known + 1);
    else if (this.hasRoom(counted, path)) counts.paths.set(path, 1);
  }

  private hasRoom(counted: Counted, path: string): boolean {
    if (counted === 'misses' && path.length > MAX_MISSING_PATH) return false;
    if (this.taken[counted] >= MAX_COUNTED_PATHS[counted]) return false;
    if (this.takenByAll[counted] >= MAX_COUNTED_PATHS_OF_ALL[counted]) return false;
    this.taken[counted] += 1;
    this.takenByAll[counted] += 1;
    return true;
  }
}

/** Number of a day in UTC since 1970: cheaper than its name, for each request. */
function numberOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS);
}
