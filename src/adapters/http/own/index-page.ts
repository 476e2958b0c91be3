import type { Context, Middleware } from 'koa';
import {
  groupsOf,
  isFiltering,
  PROJECT_ORDERS,
  type Project,
  type ProjectOrder,
  tagsOf,
} from '../../../domain/index.js';
import { filterOf, flagOf, searchOf } from '../api/query.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { sendText } from '../response/send-text.js';
import { stateNumber } from '../response/state-number.js';
import { ownPage } from './own-page.js';

/** Max. projects on the page of a search. */
const MAX_FOUND_SHOWN = 200;
/** The same where pages are found, too, which come after the projects. */
const MAX_BEFORE_PAGES = 5;

/** `/`: all projects, those of a group, tag or owner, or search results. Only the whole index is cached. */
export function sendIndex({ useCases, seen, pages, at, texts, turns }: AppParts): Middleware {
  /** By the array of all projects. */
  const facetsOf = new WeakMap<readonly Project[], ReturnType<typeof facetsIn>>();
  return async (ctx) => {
    const [search, filter] = [searchOf(ctx), filterOf(ctx)];
    const isWhole = search.isEmpty && !isFiltering(filter);
    if (!isWhole) await turns.next();
    // Nobody waits for it any more.
    if (ctx.res.destroyed) return;
    const all = await useCases.listProjects.execute(seen.in(ctx));
    const facets = facetsOf.get(all) ?? facetsIn(all);
    facetsOf.set(all, facets);
    const order = orderOf(ctx) ?? (search.isEmpty && facets.groups.length > 0 ? 'group' : 'name');
    const address = at.of(ctx);
    const found = await useCases.listProjects.execute(seen.in(ctx), { search, filter, order });
    const isShort = useCases.searchPages !== undefined && !flagOf(ctx, 'all');
    const most = isShort ? MAX_BEFORE_PAGES : MAX_FOUND_SHOWN;
    const projects = search.isEmpty ? found : found.slice(0, most);
    const isPart = flagOf(ctx, 'part');
    const facts = { projects, found: found.length, isShort, search, filter, facets, order, address };
    // The empty index shows the address, which depends on the client. It is short, and not cached.
    if (!isWhole || found.length === 0) {
      return sendText(ctx, ownPage(isPart ? pages.indexPart(facts) : pages.index(facts)));
    }
    const page = await texts.get(`index/${order}${isPart ? ' part' : ''} ${stateNumber(found)}`, async () => {
      await turns.next();
      return ownPage(isPart ? pages.indexPart(facts) : pages.index(facts));
    });
    await sendText(ctx, page);
  };
}

const facetsIn = (projects: readonly Project[]) => ({ groups: groupsOf(projects), tags: tagsOf(projects) });

/** @throws HttpFault `invalid_request` for an unknown order */
function orderOf(ctx: Context): ProjectOrder | undefined {
  const { sort } = ctx.query;
  if (sort === undefined || sort === '') return undefined;
  const order = PROJECT_ORDERS.find((each) => each === sort);
  if (order === undefined) {
    throw new HttpFault('invalid_request', `'sort' is one of ${PROJECT_ORDERS.join(', ')}`);
  }
  return order;
}
