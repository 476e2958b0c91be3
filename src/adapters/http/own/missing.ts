import type { Context } from 'koa';
import type { Missing, SuggestInstead } from '../../../application/index.js';
import type { Pages } from '../pages.js';
import { sendOwnPage } from './own-page.js';

export interface MissingParts {
  readonly useCases: { readonly suggestInstead: SuggestInstead };
  readonly pages: Pages;
}

/**
 * Sends a 404 page with suggestions.
 * @param urlPath requested path, as it stands in the URL of a page
 */
export async function sendMissing(
  ctx: Context,
  { useCases, pages }: MissingParts,
  missing: Missing,
  urlPath: string,
): Promise<void> {
  const suggestions = await useCases.suggestInstead.execute(missing, urlPath);
  sendOwnPage(ctx, pages.missing({ missing, suggestions }), { status: 404 });
}
