import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { CountReads } from '../../../application/index.js';
import {
  isListed,
  isOfReader,
  type Located,
  LruCache,
  nameInBase,
  ROOT_BASE,
} from '../../../domain/index.js';
import type { Readers, Visitor, VisitorListener } from '../access/readers.js';
import type { PublicAddress } from '../public-address.js';
import { pathOf, type RequestLog } from '../server/request-log.js';
import type { SwitcherTag } from '../sites/switcher-tag.js';
import type { Answer, Asked, Counts, Rendered } from './answer.js';
import { isFresh, preferredEncoding, prefersMarkdown } from './negotiation.js';
import type { Cached, ResponseCache } from './texts.js';

export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
/** Max. size of a kept body: one of these displaces hundreds of pages. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** Max. addresses of one answer: rules and percent-encoding give a page endlessly many. */
const MAX_ADDRESSES = 4;
/** Estimated memory of a kept answer besides its body, in bytes. */
const OVERHEAD_BYTES = 1_000;
/** Headers that a 304 with an ETag omits: the client has them with the body (RFC 9110 section 15.4.5). */
const OF_THE_BODY = ['Content-Type', 'Content-Length', 'Content-Encoding', 'Accept-Ranges', 'Last-Modified'];

/** @returns undefined when nothing is to be cached: `maxBytes` is 0 */
export function responseCache(maxBytes: number): ResponseCache | undefined {
  if (maxBytes === 0) return undefined;
  return new LruCache<Cached>(
    maxBytes,
    // A key may have the revisions of all versions of a project.
    (cached, key) => cached.maxBytes + key.length,
    (cached) => cached.dropped?.(),
  );
}

/** A 200 answer or redirect as it was sent: headers, and the body in one encoding. */
export class KeptAnswer {
  /** Names and values alternating, as `writeHead` takes them. */
  private readonly whole: string[];
  private readonly unchanged: string[];
  private readonly etag: string;
  private readonly lastModified: string;

  constructor(
    private readonly status: number,
    headers: ReadonlyMap<string, string>,
    readonly body: Buffer,
    /** The page whose reads count. */
    readonly counts?: Counts | undefined,
  ) {
    this.whole = [...headers].flat();
    this.unchanged = [...headers].filter(([name]) => !OF_THE_BODY.includes(name)).flat();
    this.etag = headers.get('ETag') ?? '';
    this.lastModified = headers.get('Last-Modified') ?? '';
  }

  /** Answers a GET or HEAD, by 304 when the client has a page (RFC 9110 section 13.2.2). */
  send({ method, headers }: IncomingMessage, response: ServerResponse, requestId: string): void {
    const isUnchanged = this.status === 200 && isFresh(headers, this.etag, this.lastModified);
    const fields = isUnchanged ? this.unchanged : this.whole;
    response.writeHead(isUnchanged ? 304 : this.status, ['X-Request-Id', requestId, ...fields]);
    response.end(isUnchanged || method === 'HEAD' ? undefined : this.body);
  }
}

/** Answers by the addresses at which they were asked for. Each counts once in the cache, whatever the number of these. */
export class AnswerTable {
  /** Keys of the cache, by address. */
  private readonly keys = new Map<string, string>();

  constructor(private readonly cache: ResponseCache) {}

  get(address: string): KeptAnswer | undefined {
    const key = this.keys.get(address);
    const cached = key === undefined ? undefined : this.cache.get(key);
    return cached instanceof Entry ? cached.answer : undefined;
  }

  /** @param key the same for all addresses of an answer; the newest of them are kept */
  keep(address: string, key: string, answer: KeptAnswer): void {
    const before = this.cache.get(key);
    const known = before instanceof Entry ? before : new Entry(answer, [], this.keys);
    if (known.addresses.includes(address)) return;
    const addresses = [...known.addresses, address].slice(-MAX_ADDRESSES);
    // With the addresses of the entry before.
    this.cache.delete(key);
    this.cache.set(key, new Entry(known.answer, addresses, this.keys));
    if (this.cache.get(key) !== undefined) for (const each of addresses) this.keys.set(each, key);
  }
}

class Entry implements Cached {
  readonly maxBytes: number;

  constructor(
    readonly answer: KeptAnswer,
    readonly addresses: readonly string[],
    private readonly keys: Map<string, string>,
  ) {
    this.maxBytes = answer.body.length + OVERHEAD_BYTES + addresses.join('').length;
  }

  dropped(): void {
    for (const address of this.addresses) this.keys.delete(address);
  }
}

interface KeptAnswersOptions {
  readonly switcher: Pick<SwitcherTag, 'isFor'>;
  readonly log: RequestLog;
  /** Counts pages that are read, unless that is off. */
  readonly countReads: Pick<CountReads, 'count'> | undefined;
  /** Undefined keeps nothing. */
  readonly cache: ResponseCache | undefined;
  readonly readers: Pick<Readers, 'isPublic'>;
}

/**
 * Table of answers ahead of Koa, which costs more than such an answer itself. `send` fills it with pages and redirects of
 * uploaded versions that everybody may read, by the addresses at which they were asked for. Keys have the revision, and that
 * of the latest version, whose redirects count for all. No revision is ever reused, so nothing is invalidated.
 */
export class KeptAnswers {
  /** Requests answered from the table. */
  hits = 0;
  /** Answers made that can be kept. */
  misses = 0;
  private readonly table: AnswerTable | undefined;

  constructor(private readonly options: KeptAnswersOptions) {
    if (options.cache !== undefined) this.table = new AnswerTable(options.cache);
  }

  /**
   * Answers from the table if possible, and passes other requests on.
   * @param at addresses of the application
   */
  ahead(next: VisitorListener, at: PublicAddress): VisitorListener {
    const { table } = this;
    const { countReads, log } = this.options;
    if (table === undefined) return next;
    const place = placeOf(at);
    return (request, response, visitor) => {
      const now = new Date();
      const { url = '', headers } = request;
      const slash = url.indexOf('/', 1);
      const site =
        slash > 0 && isPlain(request) && visitor.isKnown
          ? siteAt(url.slice(1, slash), visitor, now)
          : undefined;
      const key = site && this.mayKeep(site) ? this.keyOf(site, headers) : undefined;
      const found =
        site &&
        key &&
        (table.get(key + addressOf(site, pathOf(url), place)) ?? table.get(`${key} ${place}${url}`));
      if (!found) return next(request, response, visitor);
      this.hits += 1;
      found.send(request, response, log.begin(request, response));
      countRead(found.counts, request, countReads, now);
    };
  }

  /** Keeps an answer with a page, or a redirect without a query to pass on, as it was rendered. */
  keep({ keep, counts }: Answer, asked: Asked, { status, headers, body }: Rendered, at: PublicAddress): void {
    const { method, path, target } = asked;
    if (this.table === undefined || keep === undefined || method !== 'GET') return;
    const { site } = keep;
    if (!isLasting(site) || !this.mayKeep(site)) return;
    const isPage = keep.path !== undefined;
    // Koa reads odd targets otherwise: `http://host/path`, or with `#`.
    if (pathOf(target) !== path || (isPage ? status !== 200 : target !== path)) return;
    this.misses += 1;
    const bytes = typeof body === 'string' && !isPage ? Buffer.from(body) : body;
    if (!Buffer.isBuffer(bytes) || bytes.length > MAX_KEPT_BYTES) return;
    const place = placeOf(at);
    const key = this.keyOf(site, asked.headers);
    const [address, content] = isPage
      ? [addressOf(site, path, place), `/${keep.path}`]
      : [` ${place}${target}`, ` ${status} ${headers.get('Location')}`];
    this.table.keep(key + address, key + content, new KeptAnswer(status, headers, bytes, counts));
  }

  /** Whether everybody may read what a version shows: nothing else is kept here. */
  private mayKeep({ version }: Located): boolean {
    return this.options.readers.isPublic(version.project);
  }

  private keyOf(site: Located, headers: IncomingHttpHeaders): string {
    const variant = `${this.options.switcher.isFor(site) ? '+' : ''}${isListed(site) ? '' : '-'}`;
    const latest = site.project?.latest.revision;
    return `${preferredEncoding(headers)} ${site.version.revision} ${latest} ${variant}`;
  }
}

/** Counts a page that was sent to a reader, or to an agent as Markdown, or that they missed (contract section 11). */
export function countRead(
  counts: Counts | undefined,
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  countReads: Pick<CountReads, 'count'> | undefined,
  now?: Date,
): void {
  const purpose = headers['sec-purpose'] ?? headers.purpose;
  if (counts !== undefined && isOfReader({ method, userAgent: headers['user-agent'], purpose })) {
    countReads?.count(counts.as, counts.version, counts.path, now);
  }
}

/** Distinguishes applications that redirect to other addresses. */
function placeOf({ isOnHost }: PublicAddress): string {
  return isOnHost ? 'hosts' : '';
}

/** Distinguishes the addresses of a page: with the name by which its version is asked for only where that is not free. */
function addressOf({ version }: Located, path: string, place: string): string {
  return place + (version.record.base === undefined ? path.slice(path.indexOf('/', 1)) : path);
}

/** Undefined also when the store is out of reach: the application then reports it. */
function siteAt(name: string, visitor: Visitor, now: Date): Located | undefined {
  try {
    return visitor.seen(now).locate(name);
  } catch {
    return undefined;
  }
}

/**
 * Whether the answer at an address of a version never changes: copied-in directories change in place, and an alias for which a
 * site was built may later point to another version.
 */
function isLasting({ project, version }: Located): boolean {
  const { base = ROOT_BASE } = version.record;
  if (base !== ROOT_BASE && nameInBase(base) !== version.directoryName) return false;
  return version.origin === 'upload' && (project === undefined || project.latest.origin === 'upload');
}

/** Headers of requests that only the application answers: for ranges, for the script of a service worker. */
const UNUSUAL = ['range', 'service-worker'] as const;

function isPlain({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  // Requests for Markdown are for the application, too.
  return UNUSUAL.every((name) => headers[name] === undefined) && !prefersMarkdown(headers);
}
