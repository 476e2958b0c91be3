import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import type { Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Catalogue, Located } from '../../../domain/index.js';
import { preferredEncoding } from '../response/accept-encoding.js';
import type { RequestLog, RequestState } from '../server/request-log.js';
import { KeptResponse } from './kept-response.js';

/** Largest body that is kept: one of these would drive hundreds of pages out. */
export const MAX_KEPT_BYTES = 1024 * 1024;
export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;

export interface FastLaneOptions {
  readonly catalogue: () => Catalogue;
  /** Whether pages of a project are sent with the version switcher: they are other bytes then. */
  readonly hasSwitcher: (located: Located) => boolean;
  readonly log: RequestLog;
  /** Memory for responses, in bytes; 0 turns the lane off. */
  readonly maxBytes: number;
}

/**
 * The fast lane: responses in memory, sent ahead of Koa, which costs more than such a response itself. Koa makes every
 * response; this keeps those whose handler notes what they show, and repeats them.
 *
 * A page is keyed by the revision of its version and its path, and everything else by the state of the catalogue and its
 * URL: no key ever means something else later, so nothing is invalidated. What nobody asks for goes first when
 * `maxBytes` are used up.
 */
export class FastLane {
  private readonly kept: LRUCache<string, KeptResponse> | undefined;
  private state = 0;
  private stateOf: Catalogue | undefined;
  /** Requests that were answered from memory. */
  hits = 0;
  /** Responses of Koa that may be kept. */
  misses = 0;

  constructor(private readonly options: FastLaneOptions) {
    const { maxBytes } = options;
    this.kept =
      maxBytes === 0
        ? undefined
        : new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }: KeptResponse) => bytes });
  }

  /** Memory that kept responses take, in bytes. */
  get bytes(): number {
    return this.kept?.calculatedSize ?? 0;
  }

  /** Answers from memory what it can, and hands everything else on. */
  ahead(koa: RequestListener): RequestListener {
    const { kept, options } = this;
    if (kept === undefined) return koa;
    return (request, response) => {
      const key = isPlain(request) ? this.keyOf(request.url ?? '') : undefined;
      const found = key && kept.get(keyFor(request.headers, key));
      if (!found) return koa(request, response);
      this.hits += 1;
      found.send(request, response, options.log.begin(request, response));
    };
  }

  /** Koa middleware, outermost of those that set headers: keeps responses whose handler says what they show. */
  readonly keep: Middleware<RequestState> = async (ctx, next) => {
    const before = this.catalogue();
    await next();
    const { shows } = ctx.state;
    if (this.kept === undefined || shows === undefined || ctx.method !== 'GET' || ctx.status !== 200) return;
    // A copied-in directory changes in place. What shows the catalogue may show a newer one than there was at first.
    const isLasting =
      typeof shows === 'string' ? before === this.catalogue() : shows.version.origin === 'upload';
    if (!isLasting) return;
    this.misses += 1;
    const body: unknown = ctx.body;
    if (!Buffer.isBuffer(body) || body.length > MAX_KEPT_BYTES) return;
    const { 'x-request-id': _, ...headers } = ctx.res.getHeaders();
    const key =
      typeof shows === 'string' ? this.urlKey(before, shows) : this.pageKey(shows, shows.path.toString());
    this.kept.set(keyFor(ctx.headers, key), new KeptResponse(headers, body));
  };

  private keyOf(url: string): string | undefined {
    const catalogue = this.catalogue();
    if (catalogue === undefined) return undefined;
    const slash = url.indexOf('/', 1);
    const located = slash === -1 ? undefined : catalogue.locate(url.slice(1, slash));
    if (located === undefined) return this.urlKey(catalogue, url);
    const query = url.indexOf('?', slash);
    const rest = url.slice(slash + 1, query === -1 ? undefined : query);
    // Other spellings of a path are for Koa to read: memory has one for each.
    if (rest.includes('%')) return undefined;
    return this.pageKey(located, rest === '' || rest.endsWith('/') ? `${rest}index.html` : rest);
  }

  private pageKey(located: Located, path: string): string {
    return `${located.version.revision}${this.options.hasSwitcher(located) ? '+' : '/'}${path}`;
  }

  private urlKey(catalogue: Catalogue | undefined, url: string): string {
    if (catalogue !== this.stateOf) {
      this.stateOf = catalogue;
      this.state += 1;
    }
    return `${this.state} ${url}`;
  }

  /** Undefined when the store is out of reach: Koa says so. */
  private catalogue(): Catalogue | undefined {
    try {
      return this.options.catalogue();
    } catch {
      return undefined;
    }
  }
}

/** A response is kept for each encoding that clients prefer. */
function keyFor(headers: IncomingHttpHeaders, key: string): string {
  return `${preferredEncoding(headers)} ${key}`;
}

/** A read without a range and without a body, and not for the script of a service worker. */
function isPlain({ method, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers.range === undefined &&
    headers['service-worker'] === undefined &&
    headers.expect === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['content-length'] === undefined
  );
}
