import type { Context } from 'koa';

/** Answers with a redirect. It may lead elsewhere once something is published, so it is asked for each time. */
export function redirect(ctx: Context, to: string, status: 302 | 308 = 302): void {
  ctx.status = status;
  ctx.set('Location', to);
  ctx.set('Cache-Control', 'no-cache');
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = `See ${to}\n`;
}
