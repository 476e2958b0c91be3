import type { Context } from 'koa';
import { setCachePolicy } from './cache-policy.js';

/** Sends a redirect. Not cached without revalidation, since a publication may change its target. */
export function redirect(ctx: Context, to: string, status: 301 | 302 | 303 | 307 | 308 = 302): void {
  ctx.status = status;
  ctx.set('Location', to);
  setCachePolicy(ctx, 'revalidate');
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = `See ${to}\n`;
}
