/** What a request was for, as far as its path tells: a closed list, since nobody may make up labels of metrics. */
export type Route = 'site' | 'archive' | 'list' | 'upload' | 'delete' | 'api' | 'own';

/** GET and HEAD; POST, DELETE and their like; whatever else there is. */
export type MethodClass = 'read' | 'write' | 'other';

const METHODS: Readonly<Record<string, MethodClass>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'write',
};

/** Upper bounds in seconds, from a page out of memory to a large upload over a slow line. */
export const DURATION_BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300] as const;

/** @param path of a request, as it was sent, without its query */
export function routeOf(path: string): Route {
  if (path.startsWith('/api') && (path.length === 4 || path[4] === '/')) {
    if (path === '/api/projects') return 'list';
    if (path === '/api/upload') return 'upload';
    if (path.startsWith('/api/download/')) return 'archive';
    return path.startsWith('/api/delete/') ? 'delete' : 'api';
  }
  if (path.startsWith('/-/') || path === '/' || path === '/help' || path === '/robots.txt') return 'own';
  return path.endsWith('-docs.zip') && path.indexOf('/', 1) === -1 ? 'archive' : 'site';
}

/** A request whose answer is out, or whose client is gone. */
export interface Answered {
  readonly path: string;
  readonly method: string | undefined;
  readonly status: number;
  /** Bytes that went out. */
  readonly bytes: number;
  /** Whether its client went before the end of the answer. */
  readonly aborted?: boolean | undefined;
  /** The code of the refusal that it was answered with, if any. */
  readonly refusal?: string | undefined;
  /** Bytes of the archive that it brought. */
  readonly archiveBytes?: number | undefined;
}

class RouteTotals {
  /** By method and status: `read 200`. */
  readonly requests = new Map<string, number>();
  /** One more than there are bounds; not cumulative. */
  readonly durations: number[] = new Array(DURATION_BOUNDS.length + 1).fill(0);
  seconds = 0;
  bytes = 0;
  aborted = 0;
}

/**
 * Adds up what the server does, in plain numbers: it is done for each page that goes out of memory. Whoever shows
 * the sums makes them presentable.
 */
export class Traffic {
  private readonly routes = new Map<Route, RouteTotals>();
  /** By code. */
  readonly refusals = new Map<string, number>();
  /** Bytes of archives that arrived whole. */
  archiveBytes = 0;

  /** @param ms from the headers of the request to the end of its answer */
  count(answered: Answered, ms: number): void {
    const { path, method = '', status, bytes, aborted = false, refusal, archiveBytes = 0 } = answered;
    const totals = this.totalsOf(routeOf(path));
    increment(totals.requests, `${METHODS[method] ?? 'other'} ${status}`);
    const seconds = ms / 1000;
    let bound = 0;
    while (bound < DURATION_BOUNDS.length && seconds > (DURATION_BOUNDS[bound] ?? 0)) bound += 1;
    totals.durations[bound] = (totals.durations[bound] ?? 0) + 1;
    totals.seconds += seconds;
    totals.bytes += bytes;
    if (aborted) totals.aborted += 1;
    this.archiveBytes += archiveBytes;
    if (refusal !== undefined) increment(this.refusals, refusal);
  }

  /** Requests by route, method and status. */
  *requests(): Iterable<{ route: string; method: string; status: string; count: number }> {
    for (const [route, totals] of this.routes) {
      for (const [key, count] of totals.requests) {
        const [method = '', status = ''] = key.split(' ');
        yield { route, method, status, count };
      }
    }
  }

  /** By route: how many requests took up to each of `DURATION_BOUNDS`, or longer, and how long all took together. */
  *durations(): Iterable<{ route: string; counts: readonly number[]; seconds: number }> {
    for (const [route, { durations, seconds }] of this.routes) yield { route, counts: durations, seconds };
  }

  /** By route: bytes that went out, and answers that did not reach their end. */
  *outcomes(): Iterable<{ route: string; bytes: number; aborted: number }> {
    for (const [route, { bytes, aborted }] of this.routes) yield { route, bytes, aborted };
  }

  private totalsOf(route: Route): RouteTotals {
    let totals = this.routes.get(route);
    if (totals === undefined) {
      totals = new RouteTotals();
      this.routes.set(route, totals);
    }
    return totals;
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
