import type { Context, Middleware } from 'koa';
import type { AppParts } from '../app-parts.js';
import { STATUS_OF } from '../errors.js';
import { sendIndex } from './index-page.js';
import { libraryFiles } from './library-files.js';
import { goToPage, redirectTheme } from './moves.js';
import { newNonce, sendOwnPage } from './own-page.js';
import { sendBadge, sendProject, sendSwitcher, sendVersionList } from './project-pages.js';
import { SITE_SCRIPTS, staticFiles } from './static-files.js';

/** A route of the server's own, for GET and HEAD; `path` as @koa/router takes it. */
export interface OwnRoute {
  readonly path: string | string[];
  readonly handle: Middleware;
}

/** All routes of the server's own outside of `/api/` (docs/http-api.md). The first match answers. */
export function ownRoutes(parts: AppParts): readonly OwnRoute[] {
  const { pages, at, libraries = [] } = parts;
  const robots = `User-agent: *\nDisallow: ${at.to('/api/')}\nDisallow: ${at.to('/-/')}\n`;
  return [
    { path: '/', handle: sendIndex(parts) },
    {
      path: '/help',
      handle: async (ctx) => sendOwnPage(ctx, pages.help({ address: at.of(ctx), statuses: STATUS_OF })),
    },
    {
      path: '/robots.txt',
      handle: async (ctx) => {
        ctx.type = 'text/plain; charset=utf-8';
        ctx.body = robots;
      },
    },
    {
      path: '/-/upload',
      handle: pageWithForm((nonce, ctx) => pages.upload({ address: at.of(ctx), nonce })),
    },
    { path: '/-/api', handle: pageWithForm((nonce) => pages.api({ nonce })) },
    { path: '/-/projects/:project', handle: sendProject(parts) },
    { path: '/-/projects/:project/versions.json', handle: sendVersionList(parts) },
    { path: '/-/badge/:project.svg', handle: sendBadge(parts) },
    { path: '/-/switcher/:directory.json', handle: sendSwitcher(parts) },
    { path: ['/-/go/:directory', '/-/go/:directory/{*page}'], handle: goToPage(parts) },
    { path: '/versions.json', handle: redirectTheme(parts) },
    ...libraries.map((files) => ({ path: `${files.path}{*file}`, handle: libraryFiles(files, parts.texts) })),
    { path: ['/-/assets/{*file}', ...SITE_SCRIPTS], handle: staticFiles(parts.publicDirectory) },
  ];
}

/** @param write returns undefined for a page that this server does not have */
function pageWithForm(write: (nonce: string, ctx: Context) => string | undefined): Middleware {
  return async (ctx, next) => {
    const nonce = newNonce();
    const page = write(nonce, ctx);
    return page === undefined ? next() : sendOwnPage(ctx, page, nonce);
  };
}
