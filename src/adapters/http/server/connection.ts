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
  /** Requests without an ended response. The first one is being handled. */
  private readonly queue: Exchange[] = [];
  /** Ends the connection when the rest of the last request's body takes too long. */
  private restLimit: NodeJS.Timeout | undefined;

  /** @param maxUnanswered max. requests read but not answered; one more ends the connection */
  constructor(
    readonly socket: Socket,
    private readonly handle: RequestListener,
    private readonly maxUnanswered: number,
  ) {
    socket.once('close', () => clearTimeout(this.restLimit));
  }

  /** Responses that have not ended, in the order of their requests. */
  get responses(): readonly ServerResponse[] {
    return this.queue.map(([, response]) => response);
  }

  /** Whether all requests have been answered, and the responses taken by the system. */
  get isIdle(): boolean {
    return this.queue.length === 0;
  }

  /**
   * Whether the client can only wait for its response: its request is complete, and an archive is being unpacked, say; or
   * nothing of its body is read yet, since an upload waits for its place.
   */
  get isAtWork(): boolean {
    const [request, response] = this.queue[0] ?? [];
    if (request === undefined || response?.headersSent !== false) return false;
    return request.complete || request.readableFlowing === null;
  }

  /** Response bytes that wait for the client to read; 0 once the connection has ended. */
  get unreadBytes(): number {
    return this.socket.destroyed ? 0 : this.socket.writableLength;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    // Node parses a chunk of up to 64 KiB to its end, even if the connection ends meanwhile.
    if (this.socket.destroyed) return;
    if (this.queue.length >= this.maxUnanswered) this.socket.destroy();
    else if (this.queue.push([request, response]) === 1) this.start(request, response);
  }

  private start(request: IncomingMessage, response: ServerResponse): void {
    // A request follows the whole body of the one before.
    clearTimeout(this.restLimit);
    response.on('close', () => {
      if (!request.complete) this.limitRest(request);
      this.queue.shift();
      // Nothing can follow a response with `Connection: close`.
      if (!this.socket.writable) this.queue.length = 0;
      const [next] = this.queue;
      if (next !== undefined) this.start(...next);
    });
    this.handle(request, response);
  }

  /** Limits the time for the rest of an unread body, which is dropped but would keep the connection open. */
  private limitRest(request: IncomingMessage): void {
    if (this.socket.destroyed) return;
    this.restLimit = setTimeout(() => {
      if (!request.complete) this.socket.destroy();
    }, MAX_REST_MS).unref();
  }
}
