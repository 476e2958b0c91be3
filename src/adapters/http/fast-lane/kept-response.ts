import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { isFresh } from '../response/freshness.js';
import type { CountedPath } from '../server/request-log.js';

/** Headers that a 304 with an ETag omits: the client has them with the body (RFC 9110 section 15.4.5). */
const OF_THE_BODY = ['content-type', 'content-length', 'content-encoding', 'accept-ranges', 'last-modified'];
/** Estimated memory of a cached response besides its body, in bytes. */
const OVERHEAD_BYTES = 1_000;

/** A cached 200 response or redirect as it was sent: headers, and the body in one encoding. */
export class KeptResponse {
  /** Memory that it takes, in bytes. */
  readonly bytes: number;
  private readonly etag: string;
  private readonly lastModified: string;
  /** Names and values alternating, as `writeHead` takes them. */
  private readonly whole: string[] = [];
  private readonly unchanged: string[] = [];

  /** @param headers with lower-case names; all but the id of the request are repeated */
  constructor(
    readonly status: number,
    headers: OutgoingHttpHeaders,
    private readonly body: Buffer,
    /** Whose reads count; undefined for what is no page of a version. */
    readonly page?: CountedPath,
  ) {
    this.etag = String(headers.etag ?? '');
    this.lastModified = String(headers['last-modified'] ?? '');
    for (const [name, value] of Object.entries(headers)) {
      if (name === 'x-request-id') continue;
      this.whole.push(name, String(value));
      if (!OF_THE_BODY.includes(name)) this.unchanged.push(name, String(value));
    }
    this.bytes = body.length + OVERHEAD_BYTES;
  }

  /** Answers a GET or HEAD, by 304 when the client has a page (RFC 9110 section 13.2.2). */
  send({ method, headers }: IncomingMessage, response: ServerResponse, requestId: string): void {
    const isUnchanged = this.status === 200 && isFresh(headers, this.etag, this.lastModified);
    const fields = isUnchanged ? this.unchanged : this.whole;
    response.writeHead(isUnchanged ? 304 : this.status, ['X-Request-Id', requestId, ...fields]);
    response.end(isUnchanged || method === 'HEAD' ? undefined : this.body);
  }
}
