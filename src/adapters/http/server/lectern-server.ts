import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, type ListenOptions, Server as NetServer, type Socket } from 'node:net';
import { answerBadRequest } from './bad-request.js';
import { Connection } from './connection.js';
import { Connections, connectionBounds } from './connections.js';

/** How long an idle connection stays open: the proxies in front are set up for it. Clients are told. */
const KEEP_ALIVE_MS = 5_000;

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** For all headers of a request. */
  readonly headersMs: number;
  /** Without a byte in either direction, unless the server is at work on a request. */
  readonly idleMs: number;
}

const PATIENCE: Patience = { headersMs: 30_000, idleMs: 60_000 };

/** Answers that are made in the background become unread bytes without a further request. */
const LOOK_AT_UNREAD_MS = 250;

/**
 * The HTTP server around the application: bounds for each client and for all, time limits, `Expect: 100-continue`, and
 * an end that cuts nothing.
 */
export class LecternServer {
  private readonly server: Server;
  private readonly connections: Connections;
  private looking: NodeJS.Timeout | undefined;
  private closing = false;

  constructor(handle: RequestListener, { headersMs, idleMs } = PATIENCE, bounds = connectionBounds()) {
    this.connections = new Connections(bounds);
    const listener: RequestListener = (request, response) => {
      this.connections.noteRequest();
      if (this.closing) response.setHeader('Connection', 'close');
      this.connections.of(request.socket)?.take(request, response);
    };
    // A long upload over a slow line is no attack: bodies have no limit in all, only between two bytes.
    this.server = createServer(
      {
        headersTimeout: headersMs,
        requestTimeout: 0,
        keepAliveTimeout: KEEP_ALIVE_MS,
        // Node looks for slow headers only this often.
        connectionsCheckingInterval: Math.min(headersMs / 2, 5_000),
      },
      listener,
    );
    this.server.timeout = idleMs;
    this.server.maxConnections = bounds.maxConnections;
    // Node would answer `100 Continue` by itself, before anyone has looked at the token.
    this.server.on('checkContinue', listener);
    this.server.on('timeout', (socket) => {
      if (this.connections.of(socket)?.isAtWork !== true) socket.destroy();
    });
    this.server.on('clientError', (error, socket: Socket) => {
      const responses = this.connections.of(socket)?.responses ?? [];
      // An answer that has begun can't be followed by another one.
      if (!responses.some(({ headersSent }) => headersSent)) answerBadRequest(error, socket);
      // Whoever is at work on a request has to learn at once that no more of it will come.
      if (responses.length > 0) socket.destroy(error);
    });
    this.server.on('connection', (socket) => {
      this.connections.add(socket, new Connection(socket, handle, bounds.maxUnanswered));
      this.lookAtUnread();
    });
  }

  /**
   * @param port 0 takes a free one
   * @returns the address to open in a browser, without a `/` at its end
   */
  async listen(port: number, host: string): Promise<string> {
    return this.listenOn({ port, host });
  }

  /**
   * Takes over a socket that is listening already: whoever opened it keeps connections waiting while no server runs.
   * @param fd the socket's file descriptor
   * @returns as `listen` does, or the path of a Unix socket
   */
  async listenOnInherited(fd: number): Promise<string> {
    return this.listenOn({ fd });
  }

  private async listenOn(where: ListenOptions | { readonly fd: number }): Promise<string> {
    this.server.listen(where);
    await once(this.server, 'listening');
    // Out of descriptors, a connection can't even be accepted in order to close it: no reason to end the process.
    this.server.on('error', () => {});
    const bound = this.server.address() as AddressInfo | string | null;
    if (bound === null || typeof bound === 'string') return `unix:${bound ?? ''}`;
    const { address, port, family } = bound;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /**
   * Stops accepting, lets every answer that has begun reach its client, and ends after `maxMs` at the latest.
   * @returns whether all could be answered in that time
   * Not `http.Server.close`: it takes a connection for idle as soon as its answer was handed over, and cuts it.
   */
  async close(maxMs: number): Promise<boolean> {
    let isAllAnswered = true;
    this.closing = true;
    NetServer.prototype.close.call(this.server);
    const open = this.connections.all();
    for (const response of open.flatMap(([, connection]) => connection.responses)) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    const end = setTimeout(() => {
      isAllAnswered = false;
      for (const [socket] of this.connections.all()) socket.destroy();
    }, maxMs);
    await Promise.all(open.map(([socket, connection]) => this.finish(socket, connection)));
    clearTimeout(end);
    this.server.close();
    return isAllAnswered;
  }

  /** As long as there are connections: an idle server is left asleep. */
  private lookAtUnread(): void {
    this.looking ??= setTimeout(() => {
      this.looking = undefined;
      this.connections.boundUnread();
      if (this.connections.all().length > 0) this.lookAtUnread();
    }, LOOK_AT_UNREAD_MS).unref();
  }

  private async finish(socket: Socket, connection: Connection): Promise<void> {
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
