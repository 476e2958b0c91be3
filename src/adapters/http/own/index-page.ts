import type { Context, Middleware } from 'koa';
import { PROJECT_ORDERS, type Project, type ProjectOrder } from '../../../domain/index.js';
import { searchOf } from '../api/search-of.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { sendText, type Text } from '../response/send-text.js';
import { newNonce, ownPage, sendOwnPage } from './own-page.js';

/** Max. projects on the page of a search. */
const MAX_FOUND_SHOWN = 200;

/** `/`: all projects, or search results. Only the whole index is cached. */
export function sendIndex({ useCases, pages, at }: AppParts): Middleware {
  /** By the array of projects shown: one for each order, as long as nothing changes. */
  const kept = new WeakMap<readonly Project[], Text>();
  return async (ctx) => {
    const search = searchOf(ctx);
    const order = orderOf(ctx);
    const address = at.of(ctx);
    const found = await useCases.listProjects.execute({ search, order });
    const projects = search.isEmpty ? found : found.slice(0, MAX_FOUND_SHOWN);
    const nonce = newNonce();
    const write = () => pages.index({ projects, found: found.length, search, order, address, nonce });
    // The empty index shows the address, which depends on the client. It is short, and not cached.
    if (!search.isEmpty || found.length === 0) return sendOwnPage(ctx, write(), nonce);
    const page = kept.get(found) ?? ownPage(write(), nonce);
    kept.set(found, page);
    await sendText(ctx, page);
  };
}

/** @throws HttpFault `invalid_request` for an unknown order */
function orderOf(ctx: Context): ProjectOrder {
  const { sort } = ctx.query;
  if (sort === undefined || sort === '') return 'name';
  const order = PROJECT_ORDERS.find((each) => each === sort);
  if (order === undefined) {
    throw new HttpFault('invalid_request', `'sort' is one of ${PROJECT_ORDERS.join(', ')}`);
  }
  return order;
}
