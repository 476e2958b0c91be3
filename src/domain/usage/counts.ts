import { DAY_MS, type Day, dayOf } from '../clock.js';
import type { VersionId } from '../names/version-id.js';
import { isPage } from '../site-path.js';

/** Programs that read pages without a reader, by how they name themselves. */
const ROBOT = /bot\b|crawl|spider|slurp/i;

/** Number of requests, in all and by path. */
export interface PathCounts {
  /** All requests, also those without an entry in `paths`. */
  readonly total: number;
  readonly paths: ReadonlyMap<string, number>;
}

export const COUNTED = ['reads', 'agents', 'misses'] as const;

export type Counted = (typeof COUNTED)[number];

/**
 * Requests for one version: `reads` of its pages by readers, and by `agents`, by the path of the file; `misses`, requests
 * for missing files, by the requested path, decoded.
 */
export type VersionUsage = Readonly<Record<Counted, PathCounts>>;

/** Requests for a project, by label of the version. */
export type ProjectUsage = ReadonlyMap<string, VersionUsage>;

/** Max. paths of a project on one day that are counted by themselves. Requests for others count in the totals only. */
export const MAX_COUNTED_PATHS: Readonly<Record<Counted, number>> = {
  reads: 5_000,
  agents: 5_000,
  misses: 1_000,
};

/** Max. paths of all projects together on one day. */
export const MAX_COUNTED_PATHS_OF_ALL: Readonly<Record<Counted, number>> = {
  reads: 100_000,
  agents: 100_000,
  misses: 10_000,
};

/** Max. UTF-16 code units of a missing path that is counted by itself; what exists may be longer. */
export const MAX_MISSING_PATH = 200;

/** Days for which counts are kept. */
export const USAGE_KEPT_DAYS = 400;

/** A `VersionUsage` that grows. */
export type GrowingUsage = Readonly<Record<Counted, { total: number; readonly paths: Map<string, number> }>>;

/** Adds up what several servers have counted on one day. The order does not matter. */
export function mergedUsage(usages: readonly ProjectUsage[]): ProjectUsage {
  const [only] = usages;
  if (usages.length === 1 && only !== undefined) return only;
  const merged = new Map<string, GrowingUsage>();
  for (const [label, version] of usages.flatMap((usage) => [...usage])) {
    const sum = merged.get(label) ?? noUsage();
    merged.set(label, sum);
    for (const counted of COUNTED) {
      const { total, paths } = version[counted];
      sum[counted].total += total;
      for (const [path, count] of paths)
        sum[counted].paths.set(path, (sum[counted].paths.get(path) ?? 0) + count);
    }
  }
  return merged;
}

/** A number of each thing that is counted. */
export type Totals = Record<Counted, number>;

export function noTotals(): Totals {
  return { reads: 0, agents: 0, misses: 0 };
}

/** Returns counts of nothing. */
export function noUsage(): GrowingUsage {
  const none = () => ({ total: 0, paths: new Map<string, number>() });
  return { reads: none(), agents: none(), misses: none() };
}

/** Facts about a request that decide whether it counts. */
export interface CountableRequest {
  readonly method: string | undefined;
  readonly userAgent: string | undefined;
  /** `Sec-Purpose`, or the older `Purpose`. */
  readonly purpose?: string | string[] | undefined;
}

/**
 * Whether a request counts as that of a reader: a GET that is no prefetch, and not of a program that says that it is a
 * robot.
 */
export function isOfReader({ method, userAgent, purpose }: CountableRequest): boolean {
  if (method !== 'GET' || (userAgent !== undefined && ROBOT.test(userAgent))) return false;
  return purpose === undefined || !String(purpose).includes('prefetch');
}

/** Whether reads of a file are counted: an HTML page. */
export function isCountedPage(path: string): boolean {
  return isPage(path);
}

interface OpenDay {
  /** Paths of all projects that are counted by themselves. */
  readonly taken: Totals;
  readonly projects: Map<string, CountedDay>;
}

/** Counts requests for all projects, by day, in bounded memory. */
export class UsageTallies {
  /** Entries by days since 1970. */
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
