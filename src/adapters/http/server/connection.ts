import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds that the rest of a body may take once its request is answered, as nginx's `lingering_time`. */
const MAX_REST_MS = 30_000;

/** A request that was read, and its response. */
type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/**
 * One connection of a client. Its requests are handled one after the other, each once the answer before is out: whoever
 * sends many at once (pipelining) and reads no answer makes the server hold one answer, not all of them.
 */
export class Connection {
  private current: Exchange | undefined;
  private readonly waiting: Exchange[] = [];

  /** @param maxUnanswered requests that may be read and not answered yet; one more ends the connection */
  constructor(
    private readonly socket: Socket,
    private readonly handle: RequestListener,
    private readonly maxUnanswered: number,
  ) {}

  /** Responses whose answers have not ended, in the order of their requests. */
  get responses(): readonly ServerResponse[] {
    if (this.current === undefined) return [];
    return [this.current, ...this.waiting].map(([, response]) => response);
  }

  /** Whether a request is complete and its answer has not begun: an archive is being unpacked, say. */
  get isAtWork(): boolean {
    if (this.current === undefined) return false;
    const [request, response] = this.current;
    return request.complete && !response.headersSent;
  }

  /** Bytes of answers that wait for the client to read; none once the connection is ended. */
  get unreadBytes(): number {
    return this.socket.destroyed ? 0 : this.socket.writableLength;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    // Node parses a piece of up to 64 KiB to its end, whatever happens to the connection meanwhile.
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

  /** A body that nobody wanted, as that of a GET, is dropped as it comes: it would keep the connection for as long as it lasts. */
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
    // After an answer with `Connection: close` nothing can follow.
    if (next !== undefined && this.socket.writable) this.start(next);
  }
}
