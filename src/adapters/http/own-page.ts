import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';

/** Nothing but the server's own style sheet and images, and forms to itself. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A nonce for the scripts of a page. `'self'` would not do: every hosted site has its scripts on this origin. */
export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/**
 * Sets what every page of the server's own is sent with.
 * @param nonce of the page's scripts; without one it may run none
 */
export function setOwnPageHeaders(ctx: Context, nonce?: string): void {
  const scripts = nonce === undefined ? '' : `; script-src 'nonce-${nonce}'; connect-src 'self'`;
  ctx.set('Content-Security-Policy', POLICY + scripts);
  // A hosted site that opens one of these pages in a window must not reach into it: people type tokens there.
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.type = 'text/html; charset=utf-8';
}

interface OwnPage {
  readonly status?: number;
  /** Of the page's scripts; without one it may run none. */
  readonly nonce?: string;
}

/** Answers with a page of the server's own. */
export function sendOwnPage(ctx: Context, html: string, { status = 200, nonce }: OwnPage = {}): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-cache');
  setOwnPageHeaders(ctx, nonce);
  ctx.body = html;
}
