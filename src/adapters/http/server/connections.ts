import type { Socket } from 'node:net';
import type { Connection } from './connection.js';

/** Max. of what clients can make the server hold by connecting and asking. */
export interface ConnectionBounds {
  /** Open connections, of all clients together. */
  readonly maxConnections: number;
  /** Open connections of one client address; undefined where a proxy's address is that of all clients. */
  readonly maxForAddress: number | undefined;
  /** Requests of one connection that were read and not answered yet. */
  readonly maxUnanswered: number;
  /** Bytes of answers that wait for clients to read, of all connections together. */
  readonly maxUnreadBytes: number;
}

export const DEFAULT_MAX_CONNECTIONS = 4_096;

/** @param isBehindProxy whether the address of a connection is a proxy's, and says nothing of the client */
export function connectionBounds(
  maxConnections = DEFAULT_MAX_CONNECTIONS,
  isBehindProxy = false,
): ConnectionBounds {
  return {
    maxConnections,
    // Half, so that no address can take all, and a proxy that nobody told of still gets enough.
    maxForAddress: isBehindProxy ? undefined : Math.ceil(maxConnections / 2),
    maxUnanswered: 8,
    maxUnreadBytes: 128 * 1024 * 1024,
  };
}

/** Requests between two looks at the unread bytes: a look visits every connection. */
const REQUESTS_BETWEEN_LOOKS = 16;

/** The open connections, counted for each client address. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly byAddress = new Map<string, number>();
  private requestsSinceLook = 0;

  constructor(private readonly bounds: ConnectionBounds) {}

  of(socket: Socket): Connection | undefined {
    return this.open.get(socket);
  }

  all(): readonly (readonly [Socket, Connection])[] {
    return [...this.open];
  }

  /** @returns false when its client has as many connections as one may have: it is closed then */
  add(socket: Socket, connection: Connection): boolean {
    const address = clientAddress(socket);
    const { maxForAddress } = this.bounds;
    if (address !== undefined && maxForAddress !== undefined) {
      const count = this.byAddress.get(address) ?? 0;
      if (count >= maxForAddress) {
        socket.destroy();
        return false;
      }
      this.byAddress.set(address, count + 1);
      socket.once('close', () => this.leave(address));
    }
    this.open.set(socket, connection);
    socket.once('close', () => this.open.delete(socket));
    return true;
  }

  /** To be called for each request. */
  noteRequest(): void {
    this.requestsSinceLook += 1;
    if (this.requestsSinceLook >= REQUESTS_BETWEEN_LOOKS) this.boundUnread();
  }

  /** Ends the connections with the most unread bytes, until all together hold no more than they may. */
  boundUnread(): void {
    this.requestsSinceLook = 0;
    let total = 0;
    for (const { unreadBytes } of this.open.values()) total += unreadBytes;
    if (total <= this.bounds.maxUnreadBytes) return;
    const largestFirst = [...this.open.values()].sort((a, b) => b.unreadBytes - a.unreadBytes);
    for (const connection of largestFirst) {
      if (total <= this.bounds.maxUnreadBytes) return;
      total -= connection.unreadBytes;
      connection.end();
    }
  }

  private leave(address: string): void {
    const left = (this.byAddress.get(address) ?? 0) - 1;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
  }
}

/** Undefined for Unix sockets. Of an IPv6 address its first 64 bits: the rest is the client's own choice (RFC 4291, 2.5.1). */
function clientAddress({ remoteAddress }: Socket): string | undefined {
  if (remoteAddress === undefined) return undefined;
  const ipv4 = remoteAddress.startsWith('::ffff:') ? remoteAddress.slice(7) : remoteAddress;
  if (!ipv4.includes(':')) return ipv4;
  const [beforeGap = ''] = ipv4.split('::');
  return [...beforeGap.split(':'), '0', '0', '0', '0'].slice(0, 4).join(':');
}
