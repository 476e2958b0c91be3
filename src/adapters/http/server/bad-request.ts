import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** As long as nginx waits for more (`lingering_timeout`); here it is all the time that a client has. */
const LINGER_MS = 5_000;

/** By the code of the error that Node's parser gives: RFC 6585 section 5, RFC 9110 section 15.5.9. */
const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers a connection whose bytes are not valid HTTP. Node would do so by itself and close at once: a connection that is
 * closed over unread bytes is reset, and the reset makes its client lose the answer (RFC 9112 section 9.6). What follows
 * is dropped for a while; called for each piece of it, this answers once.
 */
export function answerBadRequest({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writableEnded) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS[code] ?? 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(end));
}
