import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';

/** Nothing but the server's own style sheet and images, and forms to itself. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const nonces = new WeakMap<Context, string>();

/**
 * The nonce for the scripts of the page that is the answer: one for each answer. A page that never asks for it may
 * run none. `'self'` would not do: every hosted site has its scripts on this origin.
 */
export function nonceOf(ctx: Context): string {
  const nonce = nonces.get(ctx) ?? newNonce();
  nonces.set(ctx, nonce);
  return nonce;
}

/** A nonce for a page that is written once and sent often, until what it shows changes. */
export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** Sets what every page of the server's own is sent with. */
export function setOwnPageHeaders(ctx: Context, nonce = nonces.get(ctx)): void {
  const scripts = nonce === undefined ? '' : `; script-src 'nonce-${nonce}'; connect-src 'self'`;
  ctx.set('Content-Security-Policy', POLICY + scripts);
  // A hosted site that opens one of these pages in a window must not reach into it: people type tokens there.
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.type = 'text/html; charset=utf-8';
}

/** Answers with a page of the server's own. */
export function sendOwnPage(ctx: Context, html: string, status = 200): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-cache');
  setOwnPageHeaders(ctx);
  ctx.body = html;
}
