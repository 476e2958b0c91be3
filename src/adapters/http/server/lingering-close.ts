import type { IncomingMessage, ServerResponse } from 'node:http';

/** As nginx's `lingering_time` and `lingering_timeout`. */
const MAX_MS = 30_000;
const MAX_IDLE_MS = 5_000;

/**
 * Reads and drops the rest of a request's body, within bounds. A connection that is closed while its client
 * still sends is reset, and the reset makes the client lose the answer that was already there.
 */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const whole = setTimeout(resolve, MAX_MS);
    let idle = setTimeout(resolve, MAX_IDLE_MS);
    const done = () => {
      clearTimeout(whole);
      clearTimeout(idle);
      resolve();
    };
    request.once('end', done).once('close', done).once('error', done);
    request.on('data', () => {
      clearTimeout(idle);
      idle = setTimeout(done, MAX_IDLE_MS);
    });
    request.resume();
  });
}

/** Whether the client may still be sending a body that nobody has read. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const announced =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  return announced && !request.readableEnded && !request.complete;
}

/**
 * nginx's lingering close: the whole answer goes out at once, the end of the connection waits for the client. Status and
 * headers are set, `Connection: close` among them.
 */
export async function answerAndLinger(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): Promise<void> {
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(text);
  await drain(request);
  response.end();
}
