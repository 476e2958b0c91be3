import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { CACHE_CONTROL } from '../response/cache-policy.js';

/** Max. time until the connection is closed, in milliseconds, like nginx's `lingering_timeout`. */
const LINGER_MS = 5_000;

/** Status by error code of Node's parser: RFC 6585 section 5, RFC 9110 section 15.5.9. */
const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers a connection whose bytes are not valid HTTP. Node itself would close at once, and closing over unread bytes
 * resets the connection, which makes the client lose the response (RFC 9112 section 9.6). Further bytes are dropped for
 * a while. Called for each chunk, it answers once.
 */
export function answerBadRequest({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
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
  const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(end));
}
