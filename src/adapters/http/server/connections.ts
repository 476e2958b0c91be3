import type { Socket } from 'node:net';
import { clientOf } from '../client-of.js';
import type { Connection } from './connection.js';

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
