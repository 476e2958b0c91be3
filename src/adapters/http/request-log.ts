import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

/** What this adapter needs of a logger; pino's has the form. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What handlers note for the log. */
export interface RequestState {
  requestId: string;
  /** The name, never the secret, of the token that a write was made with. */
  token?: string;
  /** What `error` said. */
  refusal?: string;
}

/** One line for each request, when its answer is out or its client gone. */
export function requestLog(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const sentBefore = ctx.socket.bytesWritten;
    ctx.state.requestId = randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    ctx.res.once('close', () => {
      const { requestId, token, refusal } = ctx.state;
      const fields = {
        requestId,
        method: ctx.method,
        path: ctx.path,
        client: ctx.ip,
        status: ctx.res.statusCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        bytes: ctx.socket.bytesWritten - sentBefore,
        ...(token === undefined ? {} : { token }),
        ...(refusal === undefined ? {} : { refusal }),
        ...(ctx.res.writableFinished ? {} : { aborted: true }),
      };
      logger.info(fields, 'request');
    });
    await next();
  };
}
