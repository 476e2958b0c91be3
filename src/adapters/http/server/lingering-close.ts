import type { IncomingMessage, ServerResponse } from 'node:http';

/** Like nginx's `lingering_time` and `lingering_timeout`, in milliseconds. */
const MAX_MS = 30_000;
const MAX_IDLE_MS = 5_000;

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
    const whole = setTimeout(done, MAX_MS);
    const idle = setTimeout(done, MAX_IDLE_MS);
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
