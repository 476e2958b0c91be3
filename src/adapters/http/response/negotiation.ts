import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import type { ByteRange } from '../../../application/index.js';
import { LruCache } from '../../../domain/index.js';

/** Content encoding of a body. */
export type Encoding = 'gzip' | 'identity';

/**
 * Max. characters of a header by which an answer is chosen: `Accept`, `Accept-Encoding`, `Accept-Language`. A longer one
 * counts as none, since thousands of names would cost more than the answer.
 */
export const MAX_NEGOTIATED = 1_000;

// Caches of parsed headers: clients send a handful of different ones, millions of times.
const encodings = new LruCache<Encoding>(200);
const wantMarkdown = new LruCache<boolean>(200);

/** Returns the encoding that a client prefers (RFC 9110 section 12.5.3); `gzip;q=0` forbids it. */
export function preferredEncoding(headers: IncomingHttpHeaders): Encoding {
  const header = headers['accept-encoding'];
  if (typeof header !== 'string' || header === '' || header.length > MAX_NEGOTIATED) return 'identity';
  const encoding = () => new Negotiator({ headers }).encoding(['gzip', 'identity']);
  return encodings.get(header) ?? encodings.set(header, encoding() === 'gzip' ? 'gzip' : 'identity');
}

/**
 * Returns which of some media types a client prefers (RFC 9110 section 12.5.1), the first one where it has no preference;
 * undefined where it accepts none of them.
 */
export function preferredType<Type extends string>(
  headers: IncomingHttpHeaders,
  ...types: readonly [Type, ...Type[]]
): Type | undefined {
  const { accept = '' } = headers;
  if (accept === '' || accept.length > MAX_NEGOTIATED) return types[0];
  const preferred = new Negotiator({ headers }).mediaType([...types]);
  return types.find((type) => type === preferred);
}

// With the parameter that both are sent with: a client may name it, and one that names none means them as well.
const HTML_OR_MARKDOWN = ['text/html; charset=utf-8', 'text/markdown; charset=utf-8'] as const;

/**
 * Whether a client prefers Markdown to HTML (RFC 9110 section 12.5.1): it names `text/markdown`, with a higher `q` than
 * HTML, or with the same one and earlier. Wildcards never mean Markdown.
 */
export function prefersMarkdown(headers: IncomingHttpHeaders): boolean {
  const { accept = '' } = headers;
  if (accept.length > MAX_NEGOTIATED || !/\btext\/markdown\b/i.test(accept)) return false;
  const best = () => preferredType(headers, ...HTML_OR_MARKDOWN) === HTML_OR_MARKDOWN[1];
  return wantMarkdown.get(accept) ?? wantMarkdown.set(accept, best());
}

/** Returns the languages that a client names in `Accept-Language`, best first. `*` is none. */
export function namedLanguages(headers: IncomingHttpHeaders): readonly string[] {
  const header = headers['accept-language'] ?? '';
  if (header === '' || header.length > MAX_NEGOTIATED) return [];
  return new Negotiator({ headers }).languages().filter((language) => language !== '*');
}

/**
 * Whether a client has the current answer (RFC 9110 section 13.2.2). `Cache-Control: no-cache` in a request is for
 * caches, and ignored.
 * @param lastModified value of the header, if there is one
 */
export function isFresh(headers: IncomingHttpHeaders, etag: string, lastModified = ''): boolean {
  return fresh(
    { 'if-none-match': headers['if-none-match'], 'if-modified-since': headers['if-modified-since'] },
    { etag, 'last-modified': lastModified },
  );
}

/**
 * Parses a `Range` header (RFC 9110 section 14.1.2). Several ranges are ignored: they cost more than they help, and a
 * server may always send the whole.
 * @returns the range within a file of `size` bytes; `'unsatisfiable'` when it lies outside; undefined when the header
 *   is to be ignored
 */
export function parseByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last, suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(header.trim()) ?? [];
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = last === undefined || last === '' ? size - 1 : Number(last);
  if (last !== '' && end < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}
