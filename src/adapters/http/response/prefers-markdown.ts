import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { LruCache } from '../../../domain/index.js';
import { MAX_NEGOTIATED } from './negotiation.js';

// With the parameter that both are sent with: a client may name it, and one that names none means them as well.
const OFFERED = ['text/html; charset=utf-8', 'text/markdown; charset=utf-8'];
// Cache of parsed headers: clients send a handful of different ones, millions of times.
const known = new LruCache<boolean>(200);

/**
 * Whether a client prefers Markdown to HTML (RFC 9110 section 12.5.1): it names `text/markdown`, with a higher `q` than
 * HTML, or with the same one and earlier. Wildcards never mean Markdown.
 */
export function prefersMarkdown(headers: IncomingHttpHeaders): boolean {
  const { accept = '' } = headers;
  if (accept.length > MAX_NEGOTIATED || !/\btext\/markdown\b/i.test(accept)) return false;
  const best = () => new Negotiator({ headers }).mediaType(OFFERED);
  return known.get(accept) ?? known.set(accept, best() === OFFERED[1]);
}
