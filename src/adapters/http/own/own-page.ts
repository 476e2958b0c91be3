import type { Context } from 'koa';
import { setCachePolicy } from '../response/cache-policy.js';
import { Text } from '../response/send-text.js';

/**
 * Allows only the server's own style sheets, images and forms, and scripts of this host: each page says in a policy of its
 * own which ones, by their hashes.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HTML = 'text/html; charset=utf-8';

/** Headers of all of the server's own pages. */
export const OWN_PAGE_HEADERS = {
  'Content-Type': HTML,
  'Content-Security-Policy': POLICY,
  // A hosted site that opens one of these pages in a window must not reach into it: people type tokens there.
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** One of the server's own pages, made once and sent often. */
export function ownPage(html: string): Text {
  return new Text(html, HTML, OWN_PAGE_HEADERS);
}

/**
 * Sends a page that is made for this request alone.
 * @param framesSites whether it may show pages of sites in frames
 */
export function sendOwnPage(ctx: Context, html: string, framesSites = false): void {
  ctx.set(OWN_PAGE_HEADERS);
  if (framesSites) ctx.set('Content-Security-Policy', `${POLICY}; frame-src 'self'`);
  setCachePolicy(ctx, 'revalidate');
  ctx.body = html;
}
