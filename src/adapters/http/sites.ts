import type { Context, Middleware } from 'koa';
import type { DownloadVersion, FoundFile, ListProjects, ReadPage } from '../../application/index.js';
import type { Version } from '../../domain/index.js';
import { sendArchive } from './api.js';
import { IndexPage } from './index-page.js';
import { type MissingParts, sendMissing } from './missing.js';
import { newNonce, sendOwnPage } from './own-page.js';
import type { PageCache } from './page-cache.js';
import { PublicAddress } from './public-address.js';
import { redirect } from './redirect.js';
import { sendFile } from './send-file.js';
import { SwitcherTag } from './switcher-tag.js';
import { WrittenCache } from './written-cache.js';
import { WrittenPage } from './written-page.js';

export interface SiteParts extends MissingParts {
  readonly readPage: ReadPage;
  readonly listProjects: ListProjects;
  readonly downloadVersion: DownloadVersion;
  /** Keeps pages in memory; without it every page is read from the store. */
  readonly pageCache?: PageCache;
  /** Which pages get the version switcher; by default those of projects that ask for it. */
  readonly switcher?: SwitcherTag;
  /** Where clients find the server; by default at the root of whatever host they name. */
  readonly at?: PublicAddress;
  /** Keeps the lists of files of sites without a front page. */
  readonly written?: WrittenCache;
}

/** For how long the list of a directory put there by hand is reused, whose files may change at any time. */
const BY_HAND_LISTING_MS = 2_000;

/** Everything outside of `/api/` and the assets: the server's own pages, then the sites. */
export function sites(parts: SiteParts): Middleware {
  const { at = new PublicAddress(), written = new WrittenCache() } = parts;
  const index = new IndexPage(parts.listProjects, parts.pages, at);
  const robots = `User-agent: *\nDisallow: ${at.to('/api/')}\nDisallow: ${at.to('/-/')}\n`;
  return async (ctx) => {
    if (ctx.path === '/') return index.send(ctx);
    if (ctx.path === '/-/api' || ctx.path === '/-/upload') {
      const facts = { address: at.of(ctx), nonce: newNonce() };
      const page = ctx.path === '/-/api' ? parts.pages.api(facts) : parts.pages.upload(facts);
      if (page !== undefined) return sendOwnPage(ctx, page, facts);
    }
    if (ctx.path === '/help') return sendOwnPage(ctx, parts.pages.help({ address: at.of(ctx) }));
    if (ctx.path === '/robots.txt') {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = robots;
      return;
    }
    await sendSite(ctx, parts, at, written);
  };
}

async function sendSite(
  ctx: Context,
  parts: SiteParts,
  at: PublicAddress,
  written: WrittenCache,
): Promise<void> {
  const { readPage, downloadVersion, pageCache, switcher = new SwitcherTag() } = parts;
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
      return redirect(ctx, at.to(answer.to) + ctx.search, answer.permanent ? 308 : 302);
    case 'listing':
      return sendListing(ctx, parts, answer.version, written);
    case 'missing': {
      if (answer.page === undefined) return sendMissing(ctx, parts, answer.missing, ctx.path);
      const { file, path } = dressed(answer.page);
      return sendFile(ctx, { file, name: path.toString(), status: 404 });
    }
  }
}

/** Answers with the files of a site, listed once as long as the version is the same, also for many who ask at once. */
async function sendListing(
  ctx: Context,
  { readPage, pages }: SiteParts,
  version: Version,
  written: WrittenCache,
): Promise<void> {
  const maxAgeMs = version.origin === 'by-hand' ? BY_HAND_LISTING_MS : undefined;
  const write = async () => {
    const { paths, more } = await readPage.filesOf(version);
    return WrittenPage.withoutScripts(pages.listing({ version, files: paths, more }));
  };
  const page = await written.get(`listing/${version.directoryName}`, version, write, maxAgeMs);
  await page.send(ctx);
}
