import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Like nginx's `lingering_time` and `lingering_timeout`, in milliseconds. */
const MAX_LINGER_MS = 30_000;
const MAX_LINGER_IDLE_MS = 5_000;

/** Limits of connections and of the requests and responses that they hold. */
export interface ConnectionBounds {
  /** Max. open connections, of all clients together. */
  readonly maxConnections: number;
  /** Max. open connections per client address; undefined behind a proxy, whose address all clients share. */
  readonly maxForAddress: number | undefined;
  /** Max. requests of one connection that were read and not answered yet. */
  readonly maxUnanswered: number;
  /** Max. response bytes that wait for clients to read, of all connections together. */
  readonly maxUnreadBytes: number;
}

const DEFAULT_MAX_CONNECTIONS = 4_096;

/** @param isBehindProxy whether the address of a connection is a proxy's, not the client's */
export function connectionBounds(
  maxConnections = DEFAULT_MAX_CONNECTIONS,
  isBehindProxy = false,
): ConnectionBounds {
  return {
    maxConnections,
    // Half, so that no address can take all, and an undeclared proxy still gets enough.
    maxForAddress: isBehindProxy ? undefined : Math.ceil(maxConnections / 2),
    maxUnanswered: 8,
    maxUnreadBytes: 128 * 1024 * 1024,
  };
}

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

/**
 * Returns the client at an address: the address itself, or the first 64 bits of an IPv6 address, since clients choose the
 * rest (RFC 4291, section 2.5.1). Undefined for Unix sockets.
 */
export function clientOf(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const ipv4 = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (!ipv4.includes(':')) return ipv4;
  const [beforeGap = ''] = ipv4.split('::');
  return [...beforeGap.split(':'), '0', '0', '0', '0'].slice(0, 4).join(':');
}

/** Requests between checks of the unread bytes: a check visits every connection. */
const REQUESTS_BETWEEN_CHECKS = 16;

/** The open connections, counted per client address. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly byAddress = new Map<string, number>();
  private requestsSinceCheck = 0;

  constructor(private readonly bounds: ConnectionBounds) {}

  of(socket: Socket): Connection | undefined {
    return this.open.get(socket);
  }

  all(): readonly Connection[] {
    return [...this.open.values()];
  }

  /** Whether any response has not ended. */
  get areBusy(): boolean {
    return this.all().some(({ isIdle }) => !isIdle);
  }

  /** Counts a connection; closes it when its client's address has too many. */
  add(connection: Connection): void {
    const { socket } = connection;
    const address = clientOf(socket.remoteAddress);
    const { maxForAddress } = this.bounds;
    if (address !== undefined && maxForAddress !== undefined) {
      const count = this.byAddress.get(address) ?? 0;
      if (count >= maxForAddress) {
        socket.destroy();
        return;
      }
      this.byAddress.set(address, count + 1);
      socket.once('close', () => this.leave(address));
    }
    this.open.set(socket, connection);
    socket.once('close', () => this.open.delete(socket));
  }

  /** Counts a request; call it for each. */
  noteRequest(): void {
    this.requestsSinceCheck += 1;
    if (this.requestsSinceCheck >= REQUESTS_BETWEEN_CHECKS) this.boundUnread();
  }

  /** Ends the connections with the most unread bytes, until the total is within the limit. */
  boundUnread(): void {
    this.requestsSinceCheck = 0;
    let total = 0;
    for (const { unreadBytes } of this.open.values()) total += unreadBytes;
    if (total <= this.bounds.maxUnreadBytes) return;
    const largestFirst = this.all().toSorted((a, b) => b.unreadBytes - a.unreadBytes);
    for (const connection of largestFirst) {
      if (total <= this.bounds.maxUnreadBytes) return;
      total -= connection.unreadBytes;
      connection.socket.destroy();
    }
  }

  private leave(address: string): void {
    const left = (this.byAddress.get(address) ?? 0) - 1;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
  }
}

/**
 * Reads and drops the rest of a request's body, within limits. Closing a connection while its client still sends resets
 * it, which makes the client lose the response.
 */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(whole);
      clearTimeout(idle);
      resolve();
    };
    const whole = setTimeout(done, MAX_LINGER_MS);
    const idle = setTimeout(done, MAX_LINGER_IDLE_MS);
    request.once('end', done).once('close', done).once('error', done);
    request.on('data', () => idle.refresh()).resume();
  });
}

/** Whether the client may still be sending an unread body. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const announced =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  return announced && !request.readableEnded && !request.complete;
}

/**
 * Sends the response at once, and closes the connection only after the rest of the request (nginx's lingering close).
 * The caller has set status and headers, `Connection: close` among them.
 */
export async function answerAndLinger(
  request: IncomingMessage,
  response: ServerResponse,
  text: string | Buffer,
): Promise<void> {
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(text);
  await drain(request);
  response.end();
}
