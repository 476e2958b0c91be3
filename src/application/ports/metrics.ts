import type { WarningCode } from '../../domain/index.js';

/** Kind of a request, by its path: a closed list, so that clients cannot create metric labels. */
export type Route = 'site' | 'archive' | 'list' | 'upload' | 'delete' | 'api' | 'own';

/** GET and HEAD; POST, DELETE and the like; all others. */
export type MethodClass = 'read' | 'write' | 'other';

/** A finished or aborted request. All but the numbers and `token` come from closed lists. */
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
  /** Name of the token of the request, or of the entry that its job fits, if any; a refused one, too, where it is known. Absent for tokens that tokens have made. */
  readonly token?: string | undefined;
  /** Size of the uploaded archive, if it arrived whole. */
  readonly archiveBytes?: number | undefined;
  /** Milliseconds that an upload waited for a place, if it had to. */
  readonly waitedMs?: number | undefined;
  /** Codes of the warnings about an uploaded site. */
  readonly warnings?: readonly WarningCode[] | undefined;
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

/**
 * A request to the store, for metrics. Attempts that the client repeats are one request; a put in parts is one, too,
 * and a removal is one for each object. A `get` that its caller ended is none.
 */
export interface StoreRequest {
  readonly operation: 'create' | 'put' | 'get' | 'list' | 'remove';
  /** `missing`: no such object. `exists`: a `create` of an object that exists. `refused`: a 4xx or 501. */
  readonly result: 'ok' | 'missing' | 'exists' | 'refused' | 'failed';
  /** Until the answer's header has come, for `get` and `list`; otherwise until it is done. */
  readonly seconds: number;
}

/** Called at the end of each request. Must not throw. */
export type StoreObserver = (request: StoreRequest) => void;
