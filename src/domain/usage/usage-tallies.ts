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
} from './counts.js';
import { DAY_MS, type Day, dayOf } from './day.js';

/** What was counted for a project on one day. */
export interface CountedDay {
  readonly project: string;
  readonly day: Day;
  readonly usage: ProjectUsage;
  /** Whether whoever saves it has done so since it was changed. */
  isSaved: boolean;
}

interface OpenDay {
  readonly room: SharedRoom;
  readonly projects: Map<string, CountedDay & { readonly tally: UsageTally }>;
}

/** Counts requests for all projects, by day, in bounded memory. */
export class UsageTallies {
  /** By days since 1970. */
  private readonly days = new Map<number, OpenDay>();

  /** @param maxDays days in memory; the earliest is forgotten when another one begins */
  constructor(private readonly maxDays: number) {}

  /** @param path of the file that was read, or of the missing page; undefined for one that no page can have */
  count(counted: Counted, { project: name, label }: VersionId, path: string | undefined, time: Date): void {
    const { projects, room } = this.dayAt(time);
    let project = projects.get(name);
    if (project === undefined) {
      const tally = new UsageTally(room);
      project = { project: name, day: dayOf(time), usage: tally.usage, tally, isSaved: false };
      projects.set(name, project);
    }
    project.tally.count(counted, label, path);
    project.isSaved = false;
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
    const begun = { room: new SharedRoom(), projects: new Map() };
    this.days.set(number, begun);
    if (this.days.size > this.maxDays) this.days.delete(Math.min(...this.days.keys()));
    return begun;
  }
}

/** Room for paths that several projects share on one day. */
class SharedRoom {
  private readonly taken = noTotals();

  /** Takes the room of one path. @returns false when there is none */
  take(counted: Counted): boolean {
    if (this.taken[counted] >= MAX_COUNTED_PATHS_OF_ALL[counted]) return false;
    this.taken[counted] += 1;
    return true;
  }
}

/** Counts the requests for one project on one day, in bounded memory. */
class UsageTally {
  private readonly versions = new Map<string, GrowingUsage>();
  private readonly taken = noTotals();

  constructor(private readonly shared = new SharedRoom()) {}

  get usage(): ProjectUsage {
    return this.versions;
  }

  /** @param path undefined for one that cannot be told, such as an invalid one */
  count(counted: Counted, label: string, path: string | undefined): void {
    let version = this.versions.get(label);
    if (version === undefined) {
      version = noUsage();
      this.versions.set(label, version);
    }
    const counts = version[counted];
    counts.total += 1;
    if (path === undefined) return;
    const known = counts.paths.get(path);
    if (known !== undefined) counts.paths.set(path, known + 1);
    else if (this.hasRoom(counted, path)) counts.paths.set(path, 1);
  }

  private hasRoom(counted: Counted, path: string): boolean {
    if (counted === 'misses' && path.length > MAX_MISSING_PATH) return false;
    if (this.taken[counted] >= MAX_COUNTED_PATHS[counted] || !this.shared.take(counted)) return false;
    this.taken[counted] += 1;
    return true;
  }
}

/** Number of a day in UTC since 1970: cheaper than its name, for each request. */
function numberOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS);
}
