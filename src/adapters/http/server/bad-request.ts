import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { CACHE_CONTROL } from '../response/cache-policy.js';

/** Max. time until the connection is closed, in milliseconds, like nginx's `lingering_timeout`. */
const MAX_LINGER_MS = 5_000;

/** Code for a request of a tunnel, which is no error of Node's parser. */
export const TUNNEL_REQUESTED = 'CONNECT';

/** Status by error code of Node's parser: RFC 6585 section 5, RFC 9110 sections 15.5.9 and 15.6.2. */
const STATUS: Readonly<Record<string, number>> = {
  [TUNNEL_REQUESTED]: 501,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers a connection whose bytes are not valid HTTP, or ask for a tunnel. Node itself would close at once, and closing
 * over unread bytes resets the connection, which makes the client lose the response (RFC 9112 section 9.6). Further bytes
 * are dropped for a while. Called for each chunk, it answers once.
 * @param code of the parser's error, or `TUNNEL_REQUESTED`
 */
export function answerBadRequest(code: string, socket: Duplex): void {
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
