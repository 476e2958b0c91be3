import type { Middleware } from 'koa';
import { isPlainName } from '../../../domain/index.js';
import { STATUS_OF } from '../../../formats/index.js';
import { describeApi } from '../api/operations.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { chooseComparison, sendComparedPage, sendComparison } from './compare.js';
import { sendIndex } from './index-page.js';
import { sendProjectList } from './llms-txt.js';
import { sendSuggestions } from './missing.js';
import { GO_PATHS, goToPage, redirectTheme } from './moves.js';
import { sendOwnPage } from './own-page.js';
import { sendBadge, sendProject, sendSwitcher, sendUsage, sendVersionList } from './project-pages.js';
import { sendOpenSearch, sendSearch } from './search-page.js';
import { sendRobots, sendSitemap } from './sitemap.js';
import { keptFile, SITE_SCRIPTS, staticFiles } from './static-files.js';

/** A route of the server's own, for GET and HEAD; `path` as @koa/router takes it. */
export interface OwnRoute {
  readonly path: string | string[];
  readonly handle: Middleware;
}

/** All routes of the server's own outside of `/api/` (docs/http-api.md). The first match answers. */
export function ownRoutes(parts: AppParts): readonly OwnRoute[] {
  const { pages, at, useCases, turns, client, files = [] } = parts;
  const { searchPages, showUsage } = useCases;
  const publicFiles = staticFiles(parts.publicDirectory, 'revalidate');
  return [
    { path: '/', handle: sendIndex(parts) },
    {
      path: '/help',
      handle: async (ctx) => sendOwnPage(ctx, pages.help({ address: at.of(ctx), statuses: STATUS_OF })),
    },
    { path: '/llms.txt', handle: sendProjectList(parts) },
    { path: '/robots.txt', handle: sendRobots(parts) },
    { path: '/sitemap.xml', handle: sendSitemap(parts) },
    {
      path: '/-/upload',
      handle: async (ctx) => sendOwnPage(ctx, pages.upload({ address: at.of(ctx) }) ?? noForms(parts)),
    },
    {
      path: '/-/manage/:project',
      handle: async (ctx) => {
        const { project } = ctx.params;
        const page = pages.manage({ project }) ?? noForms(parts);
        if (!isPlainName(project)) throw new HttpFault('not_found', 'No project can have this name');
        sendOwnPage(ctx, page);
      },
    },
    {
      path: '/-/api',
      handle: async (ctx) => {
        // It takes a while to make, and cannot be kept: it shows the address that was asked.
        await turns.next();
        if (ctx.res.destroyed) return;
        sendOwnPage(ctx, pages.api({ description: await describeApi(parts), address: at.of(ctx) }));
      },
    },
    ...(searchPages === undefined
      ? []
      : [
          { path: '/-/search', handle: sendSearch(parts, searchPages) },
          { path: '/-/opensearch.xml', handle: sendOpenSearch(parts) },
        ]),
    { path: '/-/projects/:project', handle: sendProject(parts) },
    ...(showUsage === undefined
      ? []
      : [{ path: '/-/projects/:project/usage', handle: sendUsage(parts, showUsage) }]),
    { path: '/-/projects/:project/versions.json', handle: sendVersionList(parts) },
    { path: '/-/badge/:project.svg', handle: sendBadge(parts) },
    { path: '/-/switcher/:directory.json', handle: sendSwitcher(parts) },
    { path: GO_PATHS, handle: goToPage(parts) },
    { path: '/-/compare/:project', handle: chooseComparison(parts) },
    { path: '/-/compare/:project/:before/:after', handle: sendComparison(parts) },
    { path: '/-/compare/:project/:before/:after/{*page}', handle: sendComparedPage(parts) },
    { path: '/-/suggest/:directory/{*page}', handle: sendSuggestions(parts) },
    { path: '/versions.json', handle: redirectTheme(parts) },
    ...files.map((file) => ({ path: file.path, handle: keptFile(file) })),
    { path: '/-/assets/{*file}', handle: publicFiles },
    ...(client === undefined ? [] : [{ path: '/-/client.mjs', handle: publicFiles }]),
    { path: SITE_SCRIPTS, handle: staticFiles(parts.publicDirectory, 'siteScript') },
  ];
}

/** @throws HttpFault `not_found`, with the reason why no page takes a token */
function noForms({ useCases: { authenticate } }: AppParts): never {
  throw new HttpFault('not_found', authenticate.isPossible ? NO_FORMS : NO_TOKENS);
}

const NO_TOKENS = 'This server takes no uploads: it was started without --tokens.';
const NO_FORMS =
  'This server has no page that takes a token: it was started with --no-upload-page. Use the client or the API.';
