import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';

/**
 * Whether a client has the current response (RFC 9110 section 13.2.2). `Cache-Control: no-cache` in a request is for
 * caches, and ignored.
 * @param lastModified value of the header, if there is one
 */
export function isFresh(headers: IncomingHttpHeaders, etag: string, lastModified = ''): boolean {
  return fresh(
    { 'if-none-match': headers['if-none-match'], 'if-modified-since': headers['if-modified-since'] },
    { etag, 'last-modified': lastModified },
  );
}
