import type { Context, Middleware } from 'koa';
import type { DownloadVersion, FoundFile, ListProjects, ReadPage } from '../../application/index.js';
import { addressOf } from './address.js';
import { sendArchive } from './api.js';
import { HttpFault } from './errors.js';
import { IndexPage } from './index-page.js';
import { type MissingParts, sendMissing } from './missing.js';
import { nonceOf, sendOwnPage } from './own-page.js';
import type { PageCache } from './page-cache.js';
import { sendFile } from './send-file.js';
import { SwitcherTag } from './switcher-tag.js';

export interface SiteParts extends MissingParts {
  readonly readPage: ReadPage;
  readonly listProjects: ListProjects;
  readonly downloadVersion: DownloadVersion;
  /** Keeps pages in memory; without it every page is read from the store. */
  readonly pageCache?: PageCache;
  /** Which pages get the version switcher; by default those of projects that ask for it. */
  readonly switcher?: SwitcherTag;
}

const ROBOTS = 'User-agent: *\nDisallow: /api/\nDisallow: /-/\n';

/** Everything outside of `/api/` and the assets: the server's own pages, then the sites. */
export function sites(parts: SiteParts): Middleware {
  const index = new IndexPage(parts.listProjects, parts.pages);
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw new HttpFault('method_not_allowed', 'Pages can only be read', { Allow: 'GET, HEAD' });
    }
    if (ctx.path === '/') return index.send(ctx);
    if (ctx.path === '/-/api') return sendOwnPage(ctx, parts.pages.api({ nonce: nonceOf(ctx) }));
    if (ctx.path === '/-/upload') {
      const page = parts.pages.upload({ address: addressOf(ctx), nonce: nonceOf(ctx) });
      if (page !== undefined) return sendOwnPage(ctx, page);
    }
    if (ctx.path === '/help') return sendOwnPage(ctx, parts.pages.help({ address: addressOf(ctx) }));
    if (ctx.path === '/robots.txt') {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = ROBOTS;
      return;
    }
    await sendSite(ctx, parts);
  };
}

async function sendSite(ctx: Context, parts: SiteParts): Promise<void> {
  const { readPage, downloadVersion, pages, pageCache, switcher = new SwitcherTag() } = parts;
  const dressed = (found: FoundFile): FoundFile => ({
    ...found,
    file: switcher.dress(found.file, found.path.toString(), found.project),
  });
  const answer = await readPage.execute(ctx.path);
  switch (answer.kind) {
    case 'page': {
      const page = dressed(answer);
      const file = (await pageCache?.keep(ctx.path, page)) ?? page.file;
      return sendFile(ctx, { file, name: page.path.toString() });
    }
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
    case 'missing': {
      if (answer.page === undefined) return sendMissing(ctx, parts, answer.missing, ctx.path);
      const { file, path } = dressed(answer.page);
      return sendFile(ctx, { file, name: path.toString(), status: 404 });
    }
  }
}
