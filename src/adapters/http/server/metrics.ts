/** Kind of a request, by its path: a closed list, so that clients cannot create metric labels. */
export type Route = 'site' | 'archive' | 'list' | 'upload' | 'delete' | 'api' | 'own';

/** GET and HEAD; POST, DELETE and the like; all others. */
export type MethodClass = 'read' | 'write' | 'other';

const METHODS: Readonly<Record<string, MethodClass>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'write',
};

/** A finished or aborted request. All but the numbers come from closed lists. */
export interface ObservedRequest {
  readonly route: Route;
  readonly method: MethodClass;
  readonly status: number;
  /** From the request's headers to the end of the response. */
  readonly seconds: number;
  /** Bytes of the response, headers included. */
  readonly bytes: number;
  /** Whether the client disconnected before the end of the response. */
  readonly aborted: boolean;
  /** Code of the refusal in the response, if any. */
  readonly refusal?: string | undefined;
  /** Size of the uploaded archive, if it arrived whole. */
  readonly archiveBytes?: number | undefined;
  /** Milliseconds that an upload waited for a place, if it had to. */
  readonly waitedMs?: number | undefined;
}

/** A metrics collector: observes requests, and renders its page. */
export interface Metrics {
  readonly contentType: string;
  observe(request: ObservedRequest): void;
  text(): Promise<string>;
}

/** Status of the server for metrics. */
export interface ServerStatus {
  readonly isReady: boolean;
  readonly uploadsRunning: number;
  readonly uploadsWaiting: number;
  /** Response cache: size in bytes, and numbers of hits and misses. */
  readonly pageCache: { readonly bytes: number; readonly hits: number; readonly misses: number };
}

/** @param path of a request as sent, without its query */
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

export function methodClassOf(method: string | undefined): MethodClass {
  return METHODS[method ?? ''] ?? 'other';
}
