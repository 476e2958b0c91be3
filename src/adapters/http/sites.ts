import type { Context, Middleware } from 'koa';
import type { DownloadVersion, ListProjects, ReadPage } from '../../application/index.js';
import { addressOf } from './address.js';
import { sendArchive } from './api.js';
import { HttpFault } from './errors.js';
import { sendOwnPage } from './own-page.js';
import type { PageCache } from './page-cache.js';
import type { Pages } from './pages.js';
import { searchOf } from './project-listing.js';
import { sendFile } from './send-file.js';

export interface SiteParts {
  readonly readPage: ReadPage;
  readonly listProjects: ListProjects;
  readonly downloadVersion: DownloadVersion;
  readonly pages: Pages;
  /** Keeps pages in memory; without it every page is read from the store. */
  readonly pageCache?: PageCache;
}

const ROBOTS = 'User-agent: *\nDisallow: /api/\nDisallow: /-/\n';

/** Everything outside of `/api/` and the assets: the server's own pages, then the sites. */
export function sites(parts: SiteParts): Middleware {
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw new HttpFault('method_not_allowed', 'Pages can only be read', { Allow: 'GET, HEAD' });
    }
    if (ctx.path === '/') return sendIndex(ctx, parts);
    if (ctx.path === '/help') return sendOwnPage(ctx, parts.pages.help({ address: addressOf(ctx) }));
    if (ctx.path === '/robots.txt') {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = ROBOTS;
      return;
    }
    await sendSite(ctx, parts);
  };
}

async function sendIndex(ctx: Context, { listProjects, pages }: SiteParts): Promise<void> {
  const search = searchOf(ctx);
  const projects = await listProjects.execute({ search });
  sendOwnPage(ctx, pages.index({ projects, search, address: addressOf(ctx) }));
}

async function sendSite(ctx: Context, parts: SiteParts): Promise<void> {
  const { readPage, downloadVersion, pages, pageCache } = parts;
  const answer = await readPage.execute(ctx.path);
  switch (answer.kind) {
    case 'page':
      return sendFile(ctx, {
        file: (await pageCache?.keep(ctx.path, answer)) ?? answer.file,
        name: answer.path.toString(),
      });
    case 'archive':
      return sendArchive(ctx, downloadVersion, answer.project, answer.version);
    case 'redirect':
      ctx.status = answer.permanent ? 308 : 302;
      ctx.set('Location', answer.to + ctx.search);
      ctx.set('Cache-Control', 'no-cache');
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = `See ${answer.to}\n`;
      return;
    case 'listing':
      return sendOwnPage(ctx, pages.listing(answer));
    case 'missing':
      ctx.status = 404;
      if (answer.page === undefined) return sendOwnPage(ctx, pages.missing({ missing: answer.missing }), 404);
      return sendFile(ctx, { file: answer.page.file, name: answer.page.path.toString(), status: 404 });
  }
}
