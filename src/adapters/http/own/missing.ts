import type { Context } from 'koa';
import type { Missing } from '../../../application/index.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { sendOwnPage } from './own-page.js';

/**
 * Sends a 404 page with suggestions.
 * @throws HttpFault `not_found` for an address of the server's own
 * @param urlPath requested path, as it stands in the URL of a page
 */
export async function sendMissing(
  ctx: Context,
  { useCases, seen, pages, turns, readers, at }: AppParts,
  missing: Missing,
  urlPath: string,
): Promise<void> {
  if (missing.what === 'project') assertNoOwnAddress(urlPath);
  const suggestions = await useCases.suggestInstead.execute(seen.in(ctx), missing, urlPath);
  await turns.next();
  // Nobody waits for it any more.
  if (ctx.res.destroyed) return;
  ctx.status = 404;
  const signIn = missing.what === 'project' ? readers.signInFor(ctx, at) : undefined;
  sendOwnPage(ctx, pages.missing({ missing, suggestions, signIn }));
}

/** No project is meant by an address that only the server itself could have. */
function assertNoOwnAddress(urlPath: string): void {
  if (/^\/-(?:\/|$)/.test(urlPath)) {
    throw new HttpFault(
      'not_found',
      "Lectern has no page at this address. Addresses that begin with '/-/' are its own.",
    );
  }
  if (urlPath.startsWith('/help/')) {
    throw new HttpFault('not_found', 'Lectern has no page at this address. Its help is one page, at /help.');
  }
}
