import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { Text } from '../response/send-text.js';

/** Allows only the server's own style sheet, images and forms. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HTML = 'text/html; charset=utf-8';

/**
 * Returns a nonce for the scripts of one page. `'self'` would also allow the scripts of hosted sites, on the same
 * origin.
 */
export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** Headers of one of the server's own pages. Without a nonce it may run no script. */
function headersOf(nonce: string | undefined): Record<string, string> {
  const scripts = nonce === undefined ? '' : `; script-src 'nonce-${nonce}'; connect-src 'self'`;
  return {
    'Content-Security-Policy': POLICY + scripts,
    // A hosted site that opens one of these pages in a window must not reach into it: people type tokens there.
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/**
 * One of the server's own pages, made once and sent often, with its nonce. Content published later cannot know the
 * nonce in use by then: a new page with a new nonce shows it.
 */
export function ownPage(write: (nonce: string) => string): Text {
  const nonce = newNonce();
  return new Text(write(nonce), HTML, headersOf(nonce));
}

/** Like `ownPage`, for a page without scripts. */
export function ownPageWithoutScripts(html: string): Text {
  return new Text(html, HTML, headersOf(undefined));
}

/** Sets the headers of the server's own pages. */
export function setOwnPageHeaders(ctx: Context, nonce?: string): void {
  ctx.set({ ...headersOf(nonce), 'Content-Type': HTML });
}

/** Sends a page that is made for this request alone. */
export function sendOwnPage(
  ctx: Context,
  html: string,
  { status = 200, nonce }: { readonly status?: number; readonly nonce?: string } = {},
): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-cache');
  setOwnPageHeaders(ctx, nonce);
  ctx.body = html;
}
