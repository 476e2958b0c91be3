import type { Context, Middleware } from 'koa';
import { answerAndLinger, hasUnreadBody } from '../server/lingering-close.js';
import type { RequestState } from '../server/request-log.js';

/** Answers with a text, whether or not the client has sent all of its body. The caller has set status and headers. */
export function answerEarly(ctx: Context, text: string): void {
  ctx.body = text;
  ctx.state.isEarly = true;
}

/**
 * Koa middleware ahead of all that set headers, before or after the handler: sends an early answer to a client that may still
 * be sending its body. The rest of the body is read and dropped before the connection is closed.
 */
export const sendEarly: Middleware<RequestState> = async (ctx, next) => {
  await next();
  const { body } = ctx;
  if (ctx.state.isEarly !== true || typeof body !== 'string' || !hasUnreadBody(ctx.req)) return;
  ctx.respond = false;
  ctx.set('Connection', 'close');
  await answerAndLinger(ctx.req, ctx.res, body);
};
