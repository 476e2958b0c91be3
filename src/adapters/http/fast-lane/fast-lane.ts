import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import type { Middleware } from 'koa';
import { isListed, type Located, nameInBase, ROOT_BASE } from '../../../domain/index.js';
import type { Readers } from '../access/readers.js';
import { preferredEncoding } from '../response/accept-encoding.js';
import { prefersMarkdown } from '../response/prefers-markdown.js';
import type { ResponseCache } from '../response/response-cache.js';
import { countedPage, type ReadCounting } from '../server/read-counting.js';
import { pathOf, type RequestLog, type RequestState } from '../server/request-log.js';
import type { Seen } from '../server/seen.js';
import type { SwitcherTag } from '../sites/switcher-tag.js';
import { KeptResponse } from './kept-response.js';
import { KeptResponses } from './kept-responses.js';

/** Max. size of a cached body: one of these displaces hundreds of pages. */
const MAX_KEPT_BYTES = 1024 * 1024;
export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;

interface FastLaneOptions {
  readonly switcher: Pick<SwitcherTag, 'isFor'>;
  readonly log: RequestLog;
  /** Counts pages that are read, unless that is off. */
  readonly counting?: ReadCounting | undefined;
  /** Undefined turns the lane off. */
  readonly cache: ResponseCache | undefined;
  readonly readers: Pick<Readers, 'isKnown' | 'isPublic'>;
}

/**
 * Response cache ahead of Koa, which costs more than such a response itself. Koa makes every response; this repeats pages
 * and redirects of uploaded versions that everybody may read, at the addresses at which they were asked for. Keys have the
 * revision, and that of the latest version, whose redirects count for all. No revision is ever reused, so nothing is
 * invalidated.
 */
export class FastLane {
  private readonly kept: KeptResponses | undefined;
  /** Requests answered from the cache. */
  hits = 0;
  /** Cacheable responses that Koa made. */
  misses = 0;

  constructor(private readonly options: FastLaneOptions) {
    if (options.cache !== undefined) this.kept = new KeptResponses(options.cache);
  }

  /**
   * Answers from the cache if possible, and passes other requests to Koa.
   * @param place the same as for `keep`
   */
  ahead(koa: RequestListener, seen: Seen, place = ''): RequestListener {
    const { kept, options } = this;
    if (kept === undefined) return koa;
    return (request, response) => {
      const now = new Date();
      const { url = '', headers } = request;
      const slash = url.indexOf('/', 1);
      const site =
        slash > 0 && isPlain(request) && options.readers.isKnown(request)
          ? siteAt(url.slice(1, slash), seen, request, now)
          : undefined;
      const key = site && this.isKept(site) ? this.keyOf(site, headers) : undefined;
      const address = site && addressOf(site, pathOf(url), place);
      const found = key && (kept.get(`${key}${address}`) ?? kept.get(`${key} ${place}${url}`));
      if (!found) return koa(request, response);
      this.hits += 1;
      found.send(request, response, options.log.begin(request, response));
      if (found.page !== undefined) options.counting?.count('reads', request, found.page, now);
    };
  }

  /**
   * Koa middleware, outermost of those that set headers: caches pages, and redirects without a query to pass on.
   * @param place distinguishes applications that redirect to other addresses
   */
  keep(place = ''): Middleware<RequestState> {
    return async (ctx, next) => {
      await next();
      const { shows, moves } = ctx.state;
      const site = shows ?? moves;
      if (this.kept === undefined || site === undefined || ctx.method !== 'GET') return;
      if (!isLasting(site) || !this.isKept(site)) return;
      const { url = '' } = ctx.req;
      // Koa reads odd addresses otherwise: `http://host/path`, or with `#`.
      if (pathOf(url) !== ctx.path || (shows === undefined ? url !== ctx.path : ctx.status !== 200)) return;
      this.misses += 1;
      const body: unknown = shows === undefined ? Buffer.from(String(ctx.body)) : ctx.body;
      if (!Buffer.isBuffer(body) || body.length > MAX_KEPT_BYTES) return;
      const page = this.options.counting && shows && countedPage(shows.version, shows.path.toString());
      const response = new KeptResponse(ctx.status, ctx.res.getHeaders(), body, page);
      const key = this.keyOf(site, ctx.headers);
      const [address, content] = shows
        ? [addressOf(shows, ctx.path, place), `/${shows.path}`]
        : [` ${place}${url}`, ` ${ctx.status} ${ctx.response.get('Location')}`];
      this.kept.keep(key + address, key + content, response);
    };
  }

  /** Whether everybody may read what a version shows: nothing else is kept here. */
  private isKept({ version }: Located): boolean {
    return this.options.readers.isPublic(version.project);
  }

  private keyOf(site: Located, headers: IncomingHttpHeaders): string {
    const variant = `${this.options.switcher.isFor(site) ? '+' : ''}${isListed(site) ? '' : '-'}`;
    const latest = site.project?.latest.revision;
    return `${preferredEncoding(headers)} ${site.version.revision} ${latest} ${variant}`;
  }
}

/** Distinguishes the addresses of a page: with the name by which its version is asked for only where that is not free. */
function addressOf({ version }: Located, path: string, place: string): string {
  return place + (version.record.base === undefined ? path.slice(path.indexOf('/', 1)) : path);
}

/** Undefined also when the store is out of reach: Koa then reports it. */
function siteAt(name: string, seen: Seen, request: IncomingMessage, now: Date): Located | undefined {
  try {
    return seen.in({ req: request }, now).locate(name);
  } catch {
    return undefined;
  }
}

/**
 * Whether what a version shows at an address never changes: copied-in directories change in place, and an alias for which a site was
 * built may come to stand for another version.
 */
function isLasting({ project, version }: Located): boolean {
  const { base = ROOT_BASE } = version.record;
  if (base !== ROOT_BASE && nameInBase(base) !== version.directoryName) return false;
  return version.origin === 'upload' && (project === undefined || project.latest.origin === 'upload');
}

/** Headers of requests that only Koa answers: for ranges, for the script of a service worker. */
const UNUSUAL = ['range', 'service-worker'] as const;

function isPlain({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  // Requests for Markdown are for Koa, too.
  return UNUSUAL.every((name) => headers[name] === undefined) && !prefersMarkdown(headers);
}
