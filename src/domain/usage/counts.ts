import { isPage } from '../site-path.js';

/** Programs that read pages without a reader, by how they name themselves. */
const ROBOT = /bot\b|crawl|spider|slurp/i;

/** How often something was asked for, in all and by path. */
export interface PathCounts {
  /** With what is in no entry of `paths`. */
  readonly total: number;
  readonly paths: ReadonlyMap<string, number>;
}

/** What is counted. */
export const COUNTED = ['reads', 'agents', 'misses'] as const;

export type Counted = (typeof COUNTED)[number];

/**
 * What was asked of one version: `reads` of its pages by readers, and by `agents`, by the path of the file; `misses`,
 * requests for what it lacks, by the requested path, decoded.
 */
export type VersionUsage = Readonly<Record<Counted, PathCounts>>;

/** What readers asked of a project, by label of the version. */
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

/** An ending with a letter: `.png`, not the `.2` of `whatsnew/3.2`. */
const FILE_ENDING = /\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,10}$/i;

/** Whether a missing path is that of a style, an image or another file, and not of a page. */
export function isOfFile(path: string): boolean {
  return !isPage(path) && FILE_ENDING.test(path);
}

/** Whether reads of a file are counted: an HTML page. */
export function isCountedPage(path: string): boolean {
  return isPage(path);
}
