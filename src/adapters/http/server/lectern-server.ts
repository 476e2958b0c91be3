import { once } from 'node:events';
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CACHE_CONTROL } from '../response/answer.js';
import { Connection, Connections, connectionBounds } from './connections.js';

/** Time that an idle connection stays open, in milliseconds. Sent to clients; proxies in front rely on it. */
const KEEP_ALIVE_MS = 5_000;

/** Timeouts of clients, in milliseconds. */
export interface Patience {
  /** For all headers of a request. */
  readonly headersMs: number;
  /** Without a byte in either direction, unless a request is being processed. */
  readonly idleMs: number;
}

const PATIENCE: Patience = { headersMs: 30_000, idleMs: 60_000 };

/** Interval between checks of unread bytes while there are responses, in milliseconds: many may be ready at once. */
const UNREAD_CHECK_MS = 20;

/** Max. time until a connection that was refused is closed, in milliseconds, like nginx's `lingering_timeout`. */
const MAX_LINGER_MS = 5_000;

/** Code for a request of a tunnel, which is no error of Node's parser. */
const TUNNEL_REQUESTED = 'CONNECT';

/** Status by error code of Node's parser: RFC 6585 section 5, RFC 9110 sections 15.5.9 and 15.6.2. */
const STATUS: Readonly<Record<string, number>> = {
  [TUNNEL_REQUESTED]: 501,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * HTTP server of the application: limits per client and in total, timeouts, `Expect: 100-continue`, and a graceful
 * shutdown.
 */
export class LecternServer {
  private readonly server: Server;
  private readonly connections: Connections;
  private unreadCheck: NodeJS.Timeout | undefined;
  private closing = false;

  constructor(handle: RequestListener, { headersMs, idleMs } = PATIENCE, bounds = connectionBounds()) {
    this.connections = new Connections(bounds);
    const listener: RequestListener = (request, response) => {
      this.connections.noteRequest();
      this.checkUnreadLater();
      if (this.closing) response.setHeader('Connection', 'close');
      this.connections.of(request.socket)?.take(request, response);
    };
    // Bodies have no total time limit, only one between bytes: slow uploads are legitimate.
    this.server = createServer(
      {
        headersTimeout: headersMs,
        requestTimeout: 0,
        keepAliveTimeout: KEEP_ALIVE_MS,
        // Interval of Node's check for slow headers.
        connectionsCheckingInterval: Math.min(headersMs / 2, 5_000),
      },
      listener,
    );
    this.server.timeout = idleMs;
    this.server.maxConnections = bounds.maxConnections;
    // Node would send `100 Continue` before the token is checked.
    this.server.on('checkContinue', listener);
    // Node would close the connection, for which a proxy in front would answer 502.
    this.server.on('connect', (_, socket) => {
      answerBadRequest(TUNNEL_REQUESTED, socket);
      socket.resume();
    });
    this.server.on('timeout', (socket) => {
      if (this.connections.of(socket)?.isAtWork !== true) socket.destroy();
    });
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const responses = this.connections.of(socket)?.responses ?? [];
      // A response that has begun cannot be followed by another one.
      if (!responses.some(({ headersSent }) => headersSent)) answerBadRequest(error.code ?? '', socket);
      // Handlers of running requests learn at once that no more of the body will come.
      if (responses.length > 0) socket.destroy(error);
    });
    this.server.on('connection', (socket) => {
      this.connections.add(new Connection(socket, handle, bounds.maxUnanswered));
    });
  }

  /**
   * @param where a port, of which 0 takes a free one, or the descriptor of an inherited socket
   * @returns the address to open in a browser, without a `/` at its end; for a Unix socket its path
   */
  async listen(
    where: { readonly port: number; readonly host: string } | { readonly fd: number },
  ): Promise<string> {
    this.server.listen(where);
    await once(this.server, 'listening');
    // Without free descriptors a connection cannot even be accepted and closed; the process goes on.
    this.server.on('error', () => {});
    const bound = this.server.address() as AddressInfo | string | null;
    if (bound === null || typeof bound === 'string') return `unix:${bound ?? ''}`;
    const { address, port, family } = bound;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Serves a connection that was opened elsewhere; ends it at once while the server closes. */
  accept(connection: Duplex): void {
    if (this.closing) connection.destroy();
    else this.server.emit('connection', connection);
  }

  /**
   * Stops accepting, completes the responses that have begun, and ends after `maxMs` at the latest. Not
   * `http.Server.close`, which takes a connection for idle once its response is handed over, and cuts it.
   * @returns whether all could be completed in that time
   */
  async close(maxMs: number): Promise<boolean> {
    let isAllAnswered = true;
    this.closing = true;
    NetServer.prototype.close.call(this.server);
    const open = this.connections.all();
    for (const response of open.flatMap(({ responses }) => responses)) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    const end = setTimeout(() => {
      isAllAnswered = false;
      for (const { socket } of this.connections.all()) socket.destroy();
    }, maxMs);
    await Promise.all(open.map((connection) => this.finish(connection)));
    clearTimeout(end);
    this.server.close();
    return isAllAnswered;
  }

  /** Checks unread bytes while there are responses; an idle server has no timer. */
  private checkUnreadLater(): void {
    this.unreadCheck ??= setTimeout(() => {
      this.unreadCheck = undefined;
      this.connections.boundUnread();
      if (this.connections.areBusy) this.checkUnreadLater();
    }, UNREAD_CHECK_MS).unref();
  }

  private async finish(connection: Connection): Promise<void> {
    const { socket } = connection;
    for (;;) {
      const [response] = connection.responses;
      if (response === undefined) break;
      const gone = once(socket, 'close').catch(() => {});
      await Promise.race([gone, once(response, 'close')]);
      if (socket.destroyed) return;
    }
    socket.destroySoon();
  }
}

/**
 * Answers a connection whose bytes are not valid HTTP, or ask for a tunnel. Node itself would close at once, and closing
 * over unread bytes resets the connection, which makes the client lose the response (RFC 9112 section 9.6). Further bytes
 * are dropped for a while. Called for each chunk, it answers once.
 * @param code of the parser's error, or `TUNNEL_REQUESTED`
 */
function answerBadRequest(code: string, socket: Duplex): void {
  if (socket.writableEnded) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS[code] ?? 400;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Cache-Control: ${CACHE_CONTROL.never}`,
    'Connection: close',
    'Content-Length: 0',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n`);
  const end = setTimeout(() => socket.destroy(), MAX_LINGER_MS).unref();
  socket.once('close', () => clearTimeout(end));
}
