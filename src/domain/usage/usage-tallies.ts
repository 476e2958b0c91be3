import type { VersionId } from '../names/version-id.js';
import type { Counted, ProjectUsage } from './counts.js';
import { DAY_MS, type Day, dayOf } from './day.js';
import { SharedRoom, UsageTally } from './usage-tally.js';

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

/** Number of a day in UTC since 1970: cheaper than its name, for each request. */
function numberOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS);
}
