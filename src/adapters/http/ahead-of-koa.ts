import type { IncomingMessage, RequestListener } from 'node:http';
import type Koa from 'koa';
import { type Reply, sendReply } from './reply.js';
import type { RequestLog, RequestState } from './request-log.js';

/** Whatever may have answers at hand. Undefined leaves a request to the application. */
export interface ShortWay {
  replyTo(request: IncomingMessage): Reply | undefined;
}

/**
 * Answers what can be answered at once, and leaves everything else to the application. Koa's way costs more than
 * such an answer itself; it gives the same answers alone.
 */
export function aheadOfKoa(
  app: Koa<RequestState>,
  log: RequestLog,
  ways: readonly ShortWay[],
): RequestListener {
  const handle = app.callback();
  return (request, response) => {
    const reply = isOrdinary(request) ? replyOf(ways, request) : undefined;
    if (reply === undefined) {
      void handle(request, response);
      return;
    }
    sendReply(request, response, reply, log.begin(request, response));
  };
}

function replyOf(ways: readonly ShortWay[], request: IncomingMessage): Reply | undefined {
  for (const way of ways) {
    const reply = way.replyTo(request);
    if (reply !== undefined) return reply;
  }
  return undefined;
}

/** Without ranges, dates and bodies, and not for the script of a service worker. */
function isOrdinary({ method, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers.range === undefined &&
    (headers['if-modified-since'] === undefined || headers['if-none-match'] !== undefined) &&
    headers['service-worker'] === undefined &&
    headers.expect === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['content-length'] === undefined
  );
}
