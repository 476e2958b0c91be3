import { type Day, type Days, daysIn } from '../clock.js';
import { isOfFile } from '../site-path.js';
import { COUNTED, type Counted, noTotals, type ProjectUsage, type Totals } from './counts.js';

/** Number of requests for a path, and the versions in which it was requested. */
export interface PathUsage {
  readonly path: string;
  readonly count: number;
  /** Labels, in no order. */
  readonly versions: readonly string[];
}

/** Usage of a project in a range of days. */
export interface UsageReport extends Days {
  /** Each day of the range, in order. */
  readonly days: readonly ({ readonly day: Day } & Readonly<Totals>)[];
  readonly total: Readonly<Totals>;
  /** Versions that were read or missed something, the most read first. */
  readonly versions: readonly ({ readonly label: string } & Readonly<Totals>)[];
  /** Requests for versions that are not listed: hidden or removed ones. They count in `total`, too. */
  readonly others: Readonly<Totals>;
  /** Paths of listed versions that readers read, the most frequent first. */
  readonly reads: readonly PathUsage[];
  /** Paths of listed versions that agents read, the most frequent first. */
  readonly agents: readonly PathUsage[];
  /** Paths of missing pages. */
  readonly misses: readonly PathUsage[];
  /** Missing files that are no pages, as far as their paths are known. */
  readonly missingFiles: { readonly count: number; readonly paths: readonly PathUsage[] };
}

/**
 * Adds up what was counted on several days, by several servers, in any order.
 *
 * Memory is bounded: past `2 * maxPaths` paths, the rarest are forgotten until half of them are left. They stay in the totals.
 */
export class UsageSum {
  private readonly days = new Map<Day, Totals>();
  private readonly versions = new Map<string, Totals>();
  private readonly others = noTotals();
  private readonly paths = {
    reads: new Map<string, SummedPath>(),
    agents: new Map<string, SummedPath>(),
    misses: new Map<string, SummedPath>(),
  };

  constructor(
    private readonly range: Days,
    /** Whether a version may be named. */
    private readonly isListed: (label: string) => boolean,
    private readonly maxPaths = 10_000,
  ) {
    for (const day of daysIn(range)) this.days.set(day, noTotals());
  }

  /** Adds counts of one day. A day outside of the range changes nothing. */
  add(day: Day, usage: ProjectUsage): void {
    const ofDay = this.days.get(day);
    if (ofDay === undefined) return;
    for (const [label, version] of usage) {
      const isListed = this.isListed(label);
      const ofVersion = isListed ? this.ofVersion(label) : this.others;
      for (const counted of COUNTED) {
        const { total, paths } = version[counted];
        ofDay[counted] += total;
        ofVersion[counted] += total;
        if (isListed) for (const [path, count] of paths) this.addPath(counted, path, count, label);
      }
    }
  }

  /** @param maxReported max. paths of each kind */
  report(maxReported: number): UsageReport {
    const days = Array.from(this.days, ([day, totals]) => ({ day, ...totals }));
    const sum = (counted: Counted) => days.reduce((all, totals) => all + totals[counted], 0);
    const missed = (areFiles: boolean) =>
      new Map([...this.paths.misses].filter(([path]) => isOfFile(path) === areFiles));
    const [pages, files] = [missed(false), missed(true)];
    const versions = Array.from(this.versions, ([label, totals]) => ({ label, ...totals }));
    return {
      ...this.range,
      days,
      total: { reads: sum('reads'), agents: sum('agents'), misses: sum('misses') },
      versions: versions.sort(
        (a, b) =>
          b.reads - a.reads || b.agents - a.agents || b.misses - a.misses || (a.label < b.label ? -1 : 1),
      ),
      others: { ...this.others },
      reads: top(this.paths.reads, maxReported),
      agents: top(this.paths.agents, maxReported),
      misses: top(pages, maxReported),
      missingFiles: {
        count: Array.from(files.values(), ({ count }) => count).reduce((all, count) => all + count, 0),
        paths: top(files, maxReported),
      },
    };
  }

  private ofVersion(label: string): Totals {
    const known = this.versions.get(label);
    if (known !== undefined) return known;
    const totals = noTotals();
    this.versions.set(label, totals);
    return totals;
  }

  private addPath(counted: Counted, path: string, count: number, label: string): void {
    const paths = this.paths[counted];
    const known = paths.get(path);
    if (known !== undefined) {
      known.count += count;
      known.versions.add(label);
      return;
    }
    if (paths.size >= 2 * this.maxPaths) {
      for (const [rare] of mostFirst(paths).slice(this.maxPaths)) paths.delete(rare);
    }
    paths.set(path, { count, versions: new Set([label]) });
  }
}

interface SummedPath {
  count: number;
  readonly versions: Set<string>;
}

type SummedPaths = ReadonlyMap<string, SummedPath>;

function top(paths: SummedPaths, max: number): readonly PathUsage[] {
  const most = mostFirst(paths).slice(0, max);
  return most.map(([path, { count, versions }]) => ({ path, count, versions: [...versions] }));
}

/** Entries by count; equal ones by path, so that the order of adding does not matter. */
function mostFirst(paths: SummedPaths): [string, SummedPath][] {
  return [...paths].sort(([pathA, a], [pathB, b]) => b.count - a.count || (pathA < pathB ? -1 : 1));
}
