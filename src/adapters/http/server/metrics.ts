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

/** A request whose answer is out, or whose client is gone. All but the numbers come from closed lists. */
export interface ObservedRequest {
  readonly route: Route;
  readonly method: MethodClass;
  readonly status: number;
  /** From the headers of the request to the end of its answer. */
  readonly seconds: number;
  /** Bytes of the answer, headers included. */
  readonly bytes: number;
  /** Whether the client went before the end of the answer. */
  readonly aborted: boolean;
  /** The code of the refusal that it was answered with, if any. */
  readonly refusal?: string | undefined;
  /** Bytes of the archive that it brought, if it arrived whole. */
  readonly archiveBytes?: number | undefined;
}

/** A monitoring system: told of each request, asked for its page. */
export interface Metrics {
  readonly contentType: string;
  observe(request: ObservedRequest): void;
  text(): Promise<string>;
}

/** What the server tells a monitoring system about itself. */
export interface ServerStatus {
  readonly isReady: boolean;
  readonly uploadsRunning: number;
  /** Responses kept in memory: bytes, and how often they were found or had to be made. */
  readonly pageCache: { readonly bytes: number; readonly hits: number; readonly misses: number };
}

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

export function methodClassOf(method: string | undefined): MethodClass {
  return METHODS[method ?? ''] ?? 'other';
}
