import type { Context } from 'koa';
import { answerAndLinger, hasUnreadBody } from '../server/lingering-close.js';

/**
 * Sends a text, also to a client that may still be sending its body: the rest of the body is read and dropped before the
 * connection is closed. The caller has set status and headers.
 */
export async function sendEarly(ctx: Context, text: string): Promise<void> {
  if (!hasUnreadBody(ctx.req)) {
    ctx.body = text;
    return;
  }
  ctx.respond = false;
  ctx.length = Buffer.byteLength(text);
  ctx.set('Connection', 'close');
  await answerAndLinger(ctx.req, ctx.res, text);
}
