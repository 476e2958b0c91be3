import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { isFresh } from '../response/freshness.js';
import type { CountedPath } from '../server/counted-path.js';

/** Headers that a 304 omits, since they describe the body (RFC 9110 section 15.4.5). */
const OF_THE_BODY = /^content-(?:type|length|encoding)$/;
/** Estimated memory of a cached response besides its body, in bytes. */
const OVERHEAD_BYTES = 1_000;

/** A cached 200 response as it was sent: headers, and the body in one encoding. */
export class KeptResponse {
  /** Memory that it takes, in bytes. */
  readonly bytes: number;
  private readonly etag: string;
  private readonly lastModified: string;
  /** Names and values alternating, as `writeHead` takes them. */
  private readonly whole: string[];
  private readonly unchanged: string[];

  /** @param headers with lower-case names */
  constructor(
    headers: OutgoingHttpHeaders,
    private readonly body: Buffer,
    /** Whose reads count; undefined for what is no page of a version. */
    readonly page?: CountedPath,
  ) {
    this.etag = String(headers.etag ?? '');
    this.lastModified = String(headers['last-modified'] ?? '');
    const fields = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    this.whole = fields.flat();
    this.unchanged = fields.filter(([name = '']) => !OF_THE_BODY.test(name)).flat();
    this.bytes = body.length + OVERHEAD_BYTES;
  }

  /** Answers a GET or HEAD: 200, or 304 when the client has it (RFC 9110 section 13.2.2). */
  send({ method, headers }: IncomingMessage, response: ServerResponse, requestId: string): void {
    const isUnchanged = isFresh(headers, this.etag, this.lastModified);
    const fields = isUnchanged ? this.unchanged : this.whole;
    response.writeHead(isUnchanged ? 304 : 200, ['X-Request-Id', requestId, ...fields]);
    response.end(isUnchanged || method === 'HEAD' ? undefined : this.body);
  }
}
