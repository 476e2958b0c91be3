import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Max. time for the rest of a body after its response, in milliseconds, as nginx's `lingering_time`. */
const MAX_REST_MS = 30_000;

/** A request and its response. */
type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/**
 * A client connection. Handles one request at a time, the next after the response before: a client that pipelines many
 * requests and reads nothing makes the server hold one response, not all.
 */
export class Connection {
  private current: Exchange | undefined;
  private readonly waiting: Exchange[] = [];

  /** @param maxUnanswered max. requests read but not answered; one more ends the connection */
  constructor(
    private readonly socket: Socket,
    private readonly handle: RequestListener,
    private readonly maxUnanswered: number,
  ) {}

  /** Responses that have not ended, in the order of their requests. */
  get responses(): readonly ServerResponse[] {
    if (this.current === undefined) return [];
    return [this.current, ...this.waiting].map(([, response]) => response);
  }

  /** Whether all requests have been answered, and the responses taken by the system. */
  get isIdle(): boolean {
    return this.current === undefined;
  }

  /** Whether a complete request has no response yet: an archive is being unpacked, say. */
  get isAtWork(): boolean {
    if (this.current === undefined) return false;
    const [request, response] = this.current;
    return request.complete && !response.headersSent;
  }

  /** Response bytes that wait for the client to read; 0 once the connection has ended. */
  get unreadBytes(): number {
    return this.socket.destroyed ? 0 : this.socket.writableLength;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    // Node parses a chunk of up to 64 KiB to its end, even if the connection ends meanwhile.
    if (this.socket.destroyed) return;
    if (this.current === undefined) this.start([request, response]);
    else if (this.waiting.length + 1 < this.maxUnanswered) this.waiting.push([request, response]);
    else this.end();
  }

  end(): void {
    this.socket.destroy();
  }

  private start(exchange: Exchange): void {
    const [request, response] = exchange;
    this.current = exchange;
    response.on('close', () => {
      if (!request.complete) this.limitRest(request);
      this.startNext();
    });
    this.handle(request, response);
  }

  /** Limits the time for the rest of an unread body, which is dropped but would keep the connection open. */
  private limitRest(request: IncomingMessage): void {
    if (this.socket.destroyed) return;
    const limit = setTimeout(() => {
      if (!request.complete) this.end();
    }, MAX_REST_MS).unref();
    this.socket.once('close', () => clearTimeout(limit));
  }

  private startNext(): void {
    this.current = undefined;
    const next = this.waiting.shift();
    // Nothing can follow a response with `Connection: close`.
    if (next !== undefined && this.socket.writable) this.start(next);
  }
}
