import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { LruCache } from '../../../domain/index.js';
import { MAX_NEGOTIATED } from './negotiation.js';
import type { Encoding } from './representation.js';

// Cache of parsed headers: clients send a handful of different ones, millions of times.
const known = new LruCache<Encoding>(200);

/** Returns the encoding that a client prefers (RFC 9110 section 12.5.3); `gzip;q=0` forbids it. */
export function preferredEncoding(headers: IncomingHttpHeaders): Encoding {
  const header = headers['accept-encoding'];
  if (typeof header !== 'string' || header === '' || header.length > MAX_NEGOTIATED) return 'identity';
  const encoding = () => new Negotiator({ headers }).encoding(['gzip', 'identity']);
  return known.get(header) ?? known.set(header, encoding() === 'gzip' ? 'gzip' : 'identity');
}
