import type { Context } from 'koa';
import type { Missing } from '../../../application/index.js';
import type { AppParts } from '../app-parts.js';
import { sendOwnPage } from './own-page.js';

/**
 * Sends a 404 page with suggestions.
 * @param urlPath requested path, as it stands in the URL of a page
 */
export async function sendMissing(
  ctx: Context,
  { useCases, pages }: AppParts,
  missing: Missing,
  urlPath: string,
): Promise<void> {
  const suggestions = await useCases.suggestInstead.execute(missing, urlPath);
  ctx.status = 404;
  sendOwnPage(ctx, pages.missing({ missing, suggestions }));
}
