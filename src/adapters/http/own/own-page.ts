import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { Text } from '../response/send-text.js';

/** Nothing but the server's own style sheet and images, and forms to itself. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HTML = 'text/html; charset=utf-8';

/**
 * A nonce for the scripts of one page. `'self'` would not do: every hosted site has its scripts on this origin.
 */
export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** The headers of a page of the server's own. Without a nonce it may run no script. */
function headersOf(nonce: string | undefined): Record<string, string> {
  const scripts = nonce === undefined ? '' : `; script-src 'nonce-${nonce}'; connect-src 'self'`;
  return {
    'Content-Security-Policy': POLICY + scripts,
    // A hosted site that opens one of these pages in a window must not reach into it: people type tokens there.
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/**
 * A page of the server's own that is made once and sent often. The nonce of its scripts is kept with it: whoever
 * publishes something new that is shown cannot know the nonce that comes with it.
 */
export function ownPage(write: (nonce: string) => string): Text {
  const nonce = newNonce();
  return new Text(write(nonce), HTML, headersOf(nonce));
}

/** The same for a page without scripts. */
export function ownPageWithoutScripts(html: string): Text {
  return new Text(html, HTML, headersOf(undefined));
}

/** Sets what every page of the server's own is sent with. */
export function setOwnPageHeaders(ctx: Context, nonce?: string): void {
  ctx.set({ ...headersOf(nonce), 'Content-Type': HTML });
}

/** Answers with a page that is made for this request alone. */
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
