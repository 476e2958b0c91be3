import type { Context } from 'koa';
import type { ListProjects } from '../../application/index.js';
import { PROJECT_ORDERS, type Project, type ProjectOrder } from '../../domain/index.js';
import { HttpFault } from './errors.js';
import { newNonce, sendOwnPage } from './own-page.js';
import type { Pages } from './pages.js';
import type { PublicAddress } from './public-address.js';
import { searchOf } from './search-of.js';
import { WrittenPage } from './written-page.js';

/** Max. projects on the page of a search. */
export const MAX_FOUND_SHOWN = 200;

/** `GET /`: all projects, or those that a search finds. Only the whole index is kept. */
export class IndexPage {
  /** By the array of projects that is shown: one for each order, as long as nothing changes. */
  private readonly written = new WeakMap<readonly Project[], WrittenPage>();

  constructor(
    private readonly listProjects: ListProjects,
    private readonly pages: Pages,
    private readonly at: PublicAddress,
  ) {}

  /** @throws HttpFault `invalid_request` for a `search` that `searchOf` refuses, or another `sort` */
  async send(ctx: Context): Promise<void> {
    const search = searchOf(ctx);
    const order = orderOf(ctx);
    const address = this.at.of(ctx);
    const found = await this.listProjects.execute({ search, order });
    const projects = search.isEmpty ? found : found.slice(0, MAX_FOUND_SHOWN);
    const write = (nonce: string) =>
      this.pages.index({ projects, found: found.length, search, order, address, nonce });
    // The empty index shows the address, which each client names as it likes: it is short, and not kept.
    if (!search.isEmpty || found.length === 0) {
      const nonce = newNonce();
      return sendOwnPage(ctx, write(nonce), { nonce });
    }
    const page = this.written.get(found) ?? WrittenPage.withScripts(write);
    this.written.set(found, page);
    await page.send(ctx);
  }
}

function orderOf(ctx: Context): ProjectOrder {
  const { sort } = ctx.query;
  if (sort === undefined || sort === '') return 'name';
  const order = PROJECT_ORDERS.find((each) => each === sort);
  if (order === undefined) {
    throw new HttpFault('invalid_request', `'sort' is one of ${PROJECT_ORDERS.join(', ')}`);
  }
  return order;
}
