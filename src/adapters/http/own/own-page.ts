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
export function ownPageHeaders(nonce?: string): Record<string, string> {
  const scripts = nonce === undefined ? '' : `; script-src 'nonce-${nonce}'; connect-src 'self'`;
  return {
    'Content-Type': HTML,
    'Content-Security-Policy': POLICY + scripts,
    // A hosted site that opens one of these pages in a window must not reach into it: people type tokens there.
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/**
 * One of the server's own pages, made once and sent often, with its nonce. Content published later cannot know the
 * nonce in use by then: a new page with a new nonce shows it.
 */
export function ownPage(html: string, nonce?: string): Text {
  return new Text(html, HTML, ownPageHeaders(nonce));
}

/** Sends a page that is made for this request alone. */
export function sendOwnPage(ctx: Context, html: string, nonce?: string): void {
  ctx.set({ ...ownPageHeaders(nonce), 'Cache-Control': 'no-cache' });
  ctx.body = html;
}
