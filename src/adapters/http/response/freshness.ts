import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';

/**
 * Whether a client has a response already (RFC 9110 section 13.2.2). `Cache-Control: no-cache` in a request asks caches,
 * not us: it does not count.
 * @param lastModified as the header has it, where there is one
 */
export function isFresh(headers: IncomingHttpHeaders, etag: string, lastModified = ''): boolean {
  return fresh(
    { 'if-none-match': headers['if-none-match'], 'if-modified-since': headers['if-modified-since'] },
    { etag, 'last-modified': lastModified },
  );
}
