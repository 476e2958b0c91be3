import type { Context } from 'koa';

/** Nothing but the server's own style sheet and images, and forms to itself. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Sets what every page of the server's own is sent with. */
export function setOwnPageHeaders(ctx: Context): void {
  ctx.set('Content-Security-Policy', POLICY);
  ctx.type = 'text/html; charset=utf-8';
}

/** Answers with a page of the server's own. */
export function sendOwnPage(ctx: Context, html: string, status = 200): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-cache');
  setOwnPageHeaders(ctx);
  ctx.body = html;
}
