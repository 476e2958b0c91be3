import type { IncomingHttpHeaders } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { Readable } from 'node:stream';
import type { StoredFile, UploadVersion, Waiter } from '../../../application/index.js';
import type { Actor, Counted, Located, SitePath, Version } from '../../../domain/index.js';
import type { Body as ApiBody, SchemaName } from '../../../formats/api/bodies.js';
import type { Visitor } from '../access/readers.js';
import type { ReceivedForm } from '../api/uploads/receive-upload.js';
import type { RequestNotes } from '../server/request-log.js';
import { Text } from './texts.js';

/**
 * Allows only the server's own style sheets, images and forms, and scripts of this host: each page says in a policy of its
 * own which ones, by their hashes.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const OWN_PAGE_TYPE = 'text/html; charset=utf-8';

/** Headers of all of the server's own pages. */
const OWN_PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  // A hosted site that opens one of these pages in a window must not reach into it: people type tokens there.
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Values of `Cache-Control` (RFC 9111 section 5.2.2) by policy. No other file of this adapter has one. */
export const CACHE_CONTROL = {
  /** Kept, and revalidated before each use: a publication may change it. */
  revalidate: 'no-cache',
  /** The same, kept by the reader's own client only. */
  private: 'private, no-cache',
  /** Scripts that every page of a site with the switcher requests. */
  siteScript: 'max-age=600',
  /** Files whose address changes with their content. */
  immutable: 'public, max-age=31536000, immutable',
  /** Kept nowhere: failures, and answers for one client or one moment. */
  never: 'no-store',
} as const;

/** How clients and shared caches may keep an answer. */
export type CachePolicy = keyof typeof CACHE_CONTROL;

/** The header of a policy. */
export function cacheHeader(policy: CachePolicy): Readonly<Record<string, string>> {
  return { 'Cache-Control': CACHE_CONTROL[policy] };
}

/** A request, as handlers see it. */
export interface Asked {
  /** In `X-Request-Id`, and in the log. */
  readonly id: string;
  /** `HEAD` stays `HEAD`: `send` leaves out the body. */
  readonly method: string;
  /** As sent, without base path and query. On the hosts of projects it begins with the directory of the site. */
  readonly path: string;
  /** Target of the request as sent, without the base path. */
  readonly target: string;
  /** The query as sent, with its `?`; empty where there is none. */
  readonly search: string;
  readonly query: ParsedUrlQuery;
  /** Named parts of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** `http` or `https`, and host with port, as readers have them: a trusted proxy may say so. */
  readonly protocol: string;
  readonly host: string;
  /** Address of the client, as in the log; undefined for a connection without one. */
  readonly client: string | undefined;
  /** Sender of the request, and what they may see. */
  readonly visitor: Visitor;
  /** The client, as one that waits for work: the signal is aborted, with `ClientLeft`, when it leaves. */
  readonly waiter: Waiter & { readonly signal: AbortSignal };
  readonly body: RequestBody;
  /** Facts for the line of the request in the log, which is written even where no answer comes. */
  readonly notes: RequestNotes;
}

/** Body of a request. Nothing is read before a handler asks for it. */
interface RequestBody {
  /** Whether it has a `Content-Encoding` other than `identity`. */
  readonly isEncoded: boolean;
  /** Returns whether there is a body of a media type. */
  is(type: string): boolean;
  /**
   * Reads it, also of a client that waits for `100 Continue`.
   * @throws HttpFault `invalid_request` when it is too large or too slow
   */
  text(maxBytes: number): Promise<string>;
  /**
   * Streams the one file of a multipart form into the store, also of a client that waits for `100 Continue`.
   * @throws HttpFault `invalid_request`; refusals of `UploadVersion.receive`
   */
  upload(actor: Actor, uploadVersion: UploadVersion): Promise<ReceivedForm>;
}

/** Body of an answer. */
type AnswerBody =
  /** A text, whose ETag and compressed form are known: conditions and gzip. */
  | { readonly text: Text }
  /** Made for one request: without ETag, sent as it is. */
  | { readonly type: string; readonly content: string | Buffer }
  /** A stored file, which `send` closes in every case: conditions, ranges, gzip. The name decides the content type. */
  | { readonly file: StoredFile; readonly name: string }
  /** Without ETag. A `Last-Modified` among the headers is evaluated; `size` in bytes, where it is known. */
  | { readonly type: string; readonly stream: Readable; readonly size?: number };

/** A page that is read, or missed, in a version. */
export interface Counts {
  readonly as: Counted;
  readonly version: Version;
  /** Undefined for an address that no page can have. */
  readonly path: string | undefined;
}

/** A page or a redirect of a version, which the server may repeat from memory. */
interface Keep {
  readonly site: Located;
  /** Path of the page in the site; undefined for a redirect. */
  readonly path?: SitePath | undefined;
}

/** Failure behind an answer, for the log. */
interface FailedBy {
  /** Code in the body's `error`. */
  readonly code: string;
  readonly message: string;
  readonly error: unknown;
}

/** An answer to a request: a plain value. `send` carries it, whatever the client has and accepts. */
export interface Answer {
  readonly status: number;
  readonly cache: CachePolicy;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Request headers that the answer depends on, beside those that `send` evaluates. */
  readonly vary?: readonly string[] | undefined;
  readonly body?: AnswerBody | undefined;
  /** Project that the answer is about, whatever else is published. */
  readonly about?: string | undefined;
  /** Counted once it is sent, with `--usage`. */
  readonly counts?: Counts | undefined;
  readonly keep?: Keep | undefined;
  readonly failure?: FailedBy;
}

/** An answer as it goes out, but for the id of the request. */
export interface Rendered {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Undefined where there is none: 304, `HEAD`. */
  readonly body: string | Buffer | Readable | undefined;
}

/** Answers a request; undefined: it is for the next handler. */
export type Handle = (asked: Asked) => Promise<Answer | undefined>;

/** Header that keeps an answer out of search engines. */
export const NO_INDEX = { 'X-Robots-Tag': 'noindex' };

/** A text. With `never`, it has no ETag. */
export function textAnswer(text: Text, cache: CachePolicy = 'revalidate'): Answer {
  return { status: 200, cache, body: { text } };
}

/** A text that is made for one request, without ETag. */
export function plainAnswer(content: string, type = 'text/plain; charset=utf-8'): Answer {
  return { status: 200, cache: 'revalidate', body: { type, content } };
}

/** A JSON body with the shape of a schema. */
export function jsonAnswer<Name extends SchemaName>(
  _name: Name,
  status: number,
  body: ApiBody<Name>,
  cache: CachePolicy = 'revalidate',
): Answer {
  return { status, cache, body: { type: JSON_TYPE, content: JSON.stringify(body) } };
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A redirect. Not cached without revalidation, since a publication may change its target. */
export function redirectTo(to: string, status: 301 | 302 | 303 | 307 | 308 = 302): Answer {
  return { ...plainAnswer(`See ${to}\n`), status, headers: { Location: to } };
}

/** A page of the server's own, made once and sent often. */
export function ownPage(html: string): Text {
  return new Text(html, OWN_PAGE_TYPE, OWN_PAGE_HEADERS);
}

/**
 * A page that is made for this request alone, without ETag.
 * @param framesSites whether it may show pages of sites in frames
 */
export function ownPageAnswer(html: string, framesSites = false): Answer {
  const framing = framesSites ? { 'Content-Security-Policy': `${POLICY}; frame-src 'self'` } : {};
  return { ...plainAnswer(html, OWN_PAGE_TYPE), headers: { ...OWN_PAGE_HEADERS, ...framing } };
}
