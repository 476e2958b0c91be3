import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import type { Middleware } from 'koa';
import type { Catalogue, Located } from '../../../domain/index.js';
import { preferredEncoding } from '../response/accept-encoding.js';
import type { ResponseCache } from '../response/response-cache.js';
import { countedPage } from '../server/counted-path.js';
import type { ReadCounting } from '../server/read-counting.js';
import type { RequestLog, RequestState } from '../server/request-log.js';
import { KeptResponse } from './kept-response.js';

/** Max. size of a cached body: one of these displaces hundreds of pages. */
const MAX_KEPT_BYTES = 1024 * 1024;
export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;

export interface FastLaneOptions {
  readonly catalogue: () => Catalogue;
  /** Distinguishes responses for one page of a version that differ by what is set: switcher, hidden, the latest version. */
  readonly variantOf: (located: Located) => string;
  readonly log: RequestLog;
  /** Counts pages that are read, unless that is off. */
  readonly counting?: ReadCounting | undefined;
  /** Undefined turns the lane off. */
  readonly cache: ResponseCache | undefined;
}

/**
 * Response cache ahead of Koa, which costs more than such a response itself. Koa makes every response; this caches and
 * repeats those whose handler sets `shows`.
 *
 * A page is keyed by its version's revision and its path, everything else by the state of the catalogue and its URL. No
 * key is ever reused, so nothing is invalidated.
 */
export class FastLane {
  private readonly kept: ResponseCache | undefined;
  private state = 0;
  private stateOf: Catalogue | undefined;
  /** Requests answered from the cache. */
  hits = 0;
  /** Cacheable responses that Koa made. */
  misses = 0;

  constructor(private readonly options: FastLaneOptions) {
    this.kept = options.cache;
  }

  /**
   * Answers from the cache if possible, and passes other requests to Koa.
   * @param isForPages false where pages of sites are redirected
   */
  ahead(koa: RequestListener, isForPages = true): RequestListener {
    const { kept, options } = this;
    if (kept === undefined) return koa;
    return (request, response) => {
      const now = new Date();
      const key = isPlain(request) ? this.keyOf(request.url ?? '', isForPages, now) : undefined;
      const found = key && kept.get(keyFor(request.headers, key));
      if (!(found instanceof KeptResponse)) return koa(request, response);
      this.hits += 1;
      found.send(request, response, options.log.begin(request, response));
      if (found.page !== undefined) options.counting?.count('reads', request, found.page, now);
    };
  }

  /** Koa middleware, outermost of those that set headers: caches responses whose handler sets `shows`. */
  readonly keep: Middleware<RequestState> = async (ctx, next) => {
    const before = this.catalogue();
    await next();
    const { shows } = ctx.state;
    if (this.kept === undefined || shows === undefined || ctx.method !== 'GET' || ctx.status !== 200) return;
    // Copied-in directories change in place. A response from the catalogue may show a newer one than `before`.
    const isLasting =
      typeof shows === 'string' ? before === this.catalogue() : shows.version.origin === 'upload';
    if (!isLasting) return;
    this.misses += 1;
    const body: unknown = ctx.body;
    if (!Buffer.isBuffer(body) || body.length > MAX_KEPT_BYTES) return;
    const { 'x-request-id': _, ...headers } = ctx.res.getHeaders();
    const isPage = typeof shows === 'object';
    const key = isPage ? this.pageKey(shows, shows.path.toString()) : this.urlKey(before, shows);
    const page = isPage ? countedPage(shows.version, shows.path.toString()) : undefined;
    const response = new KeptResponse(headers, body, page);
    this.kept.set(keyFor(ctx.headers, key), response, { size: response.bytes });
  };

  private keyOf(url: string, isForPages: boolean, now: Date): string | undefined {
    const catalogue = this.catalogue(now);
    if (catalogue === undefined) return undefined;
    const slash = url.indexOf('/', 1);
    const located = slash === -1 ? undefined : catalogue.locate(url.slice(1, slash));
    if (located === undefined) return this.urlKey(catalogue, url);
    if (!isForPages) return undefined;
    const query = url.indexOf('?', slash);
    const rest = url.slice(slash + 1, query === -1 ? undefined : query);
    // Only Koa decodes other spellings of a path; the cache has one for each.
    if (rest.includes('%')) return undefined;
    return this.pageKey(located, rest === '' || rest.endsWith('/') ? `${rest}index.html` : rest);
  }

  private pageKey(located: Located, path: string): string {
    return `${located.version.revision}${this.options.variantOf(located)}/${path}`;
  }

  private urlKey(catalogue: Catalogue | undefined, url: string): string {
    if (catalogue !== this.stateOf) {
      this.stateOf = catalogue;
      this.state += 1;
    }
    return `${this.state} ${url}`;
  }

  /** Without expired previews. Undefined when the store is out of reach: Koa then reports it. */
  private catalogue(now = new Date()): Catalogue | undefined {
    try {
      return this.options.catalogue().at(now);
    } catch {
      return undefined;
    }
  }
}

/** Cache key for a client's preferred encoding. */
function keyFor(headers: IncomingHttpHeaders, key: string): string {
  return `${preferredEncoding(headers)} ${key}`;
}

/** Whether a request is a read without range or body, and not for the script of a service worker. */
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
