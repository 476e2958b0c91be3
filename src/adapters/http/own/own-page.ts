import { type Answer, plainAnswer } from '../response/answer.js';
import { Text } from '../response/texts.js';

/**
 * Allows only the server's own style sheets, images and forms, and scripts of this host: each page says in a policy of its
 * own which ones, by their hashes.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const OWN_PAGE_TYPE = 'text/html; charset=utf-8';

/** Headers of all of the server's own pages. */
const OWN_PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  // A hosted site that opens one of these pages in a window must not reach into it: people type tokens there.
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** One of the server's own pages, made once and sent often. */
export function ownPage(html: string): Text {
  return new Text(html, OWN_PAGE_TYPE, OWN_PAGE_HEADERS);
}

/**
 * A page that is made for this request alone, without ETag.
 * @param framesSites whether it may show pages of sites in frames
 */
export function ownPageAnswer(html: string, framesSites = false): Answer {
  const framing = framesSites ? { 'Content-Security-Policy': `${POLICY}; frame-src 'self'` } : {};
  return { ...plainAnswer(html, OWN_PAGE_TYPE), headers: { ...OWN_PAGE_HEADERS, ...framing } };
}
