import type { Context, Middleware } from 'koa';
import type { CanonicalPage, FoundFile } from '../../../application/index.js';
import { isListed, isPage } from '../../../domain/index.js';
import type { PublicAddress } from '../public-address.js';

/** Header that keeps a response out of search engines. */
export const NO_INDEX = { 'X-Robots-Tag': 'noindex' };

/** For `--no-indexing`: keeps every response out of search engines. */
export const indexNothing: Middleware = (ctx, next) => {
  ctx.set(NO_INDEX);
  return next();
};

/** Tells search engines which version of a page to show (contract section 7). */
export class Indexing {
  constructor(
    private readonly at: PublicAddress,
    private readonly canonicalPage: CanonicalPage,
  ) {}

  /** Sets the headers for a page that is about to be sent. */
  async tell(ctx: Context, { project, version, path }: FoundFile): Promise<void> {
    // A canonical address has to be absolute, and never what a request says of the host.
    if (this.at.fixed === undefined || project === undefined || !isPage(path.toString())) return;
    if (!isListed({ project, version })) return;
    const canonical = await this.canonicalPage.execute(project, version, path, this.at.everywhere);
    if (canonical === undefined) ctx.set(NO_INDEX);
    else ctx.set('Link', `<${this.at.canonical(canonical)}>; rel="canonical"`);
  }
}
