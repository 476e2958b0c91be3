import type { Context } from 'koa';
import type { ListProjects } from '../../application/index.js';
import { inOrder, PROJECT_ORDERS, type ProjectOrder } from '../../domain/index.js';
import { HttpFault } from './errors.js';
import { nonceOf, sendOwnPage } from './own-page.js';
import type { Pages } from './pages.js';
import { searchOf } from './project-listing.js';
import type { PublicAddress } from './public-address.js';
import { WrittenPages } from './written-pages.js';

/** `GET /`: all projects, or those that a search finds. Only the whole index is kept. */
export class IndexPage {
  private readonly written = new WrittenPages();

  constructor(
    private readonly listProjects: ListProjects,
    private readonly pages: Pages,
    private readonly at: PublicAddress,
  ) {}

  /** @throws HttpFault `invalid_request` for a `search` that is given twice or badly encoded, or another `sort` */
  async send(ctx: Context): Promise<void> {
    const search = searchOf(ctx);
    const order = orderOf(ctx);
    const address = this.at.of(ctx);
    const projects = await this.listProjects.execute({ search });
    const write = (nonce: string) =>
      this.pages.index({ projects: inOrder(projects, order), search, order, address, nonce });
    if (search !== '') return sendOwnPage(ctx, write(nonceOf(ctx)));
    // Only the empty index shows the address.
    await this.written.send(ctx, projects, projects.length === 0 ? `${order} ${address}` : order, write);
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
