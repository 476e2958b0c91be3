import type { Context, Middleware } from 'koa';
import { decodedComponent, type Project } from '../../../domain/index.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { GO_PATHS, goToPage } from '../own/moves.js';
import { sendSwitcher } from '../own/project-pages.js';
import { type OwnRoute, ownRoutes } from '../own/routes.js';
import { ARCHIVES, nameOnHost, sendRules, sitemapOf } from '../own/sitemap.js';
import { redirect } from '../response/redirect.js';
import { sendText } from '../response/send-text.js';
import { type HostEntrance, NO_SITE } from './host-entrance.js';
import { isServedOnHosts, type ProjectHosts } from './project-hosts.js';

/** All routes of the server's own on the hosts of projects. Other addresses below `/-/` are those of the main host. */
export function hostRoutes(parts: AppParts, entrance: HostEntrance): readonly OwnRoute[] {
  const paths = ({ path }: OwnRoute) => (typeof path === 'string' ? [path] : path);
  const toMainHost: Middleware = async (ctx) => redirect(ctx, parts.at.fixed + ctx.url);
  return [
    { path: NO_SITE, handle: noSite(entrance) },
    { path: '/-/switcher/:directory.json', handle: sendSwitcher(parts, (ctx) => entrance.siteOf(ctx.req)) },
    { path: '/:site/robots.txt', handle: unlessUploaded(parts, sendHostRobots(parts)) },
    { path: '/:site/sitemap.xml', handle: unlessUploaded(parts, sendHostSitemap(parts)) },
    // Pages may link to other projects in this way.
    { path: GO_PATHS, handle: goToPage(parts, toMainHost) },
    ...ownRoutes(parts).filter((route) => paths(route).every(isServedOnHosts)),
    { path: '/-/{*rest}', handle: toMainHost },
  ];
}

function noSite(entrance: HostEntrance): Middleware {
  return async (ctx) => {
    // Another attempt: it fails if the store is out of reach.
    entrance.siteOf(ctx.req);
    throw new HttpFault(
      'not_found',
      'Nothing is published at this host. Its project may have another name, or may be gone.',
    );
  };
}

/** A file that the site may bring itself. With `--no-indexing` its own does not count. */
function unlessUploaded({ useCases, seen, isIndexed, at }: AppParts, handle: Middleware): Middleware {
  return async (ctx, next) => {
    const look = (path: string) => useCases.readPage.execute(seen.in(ctx), path, at);
    const here = await look(ctx.path);
    const answer = here.kind === 'other-root' ? await look(here.to.path) : here;
    if (answer.kind === 'page') await answer.file.close();
    if (answer.kind === 'missing') await answer.page?.file.close();
    return isIndexed && answer.kind !== 'missing' ? next() : handle(ctx, next);
  };
}

function sendHostRobots(parts: AppParts): Middleware {
  const { at, isIndexed } = parts;
  return async (ctx) => {
    const isCanonical = (await canonicalAt(ctx, parts)) !== undefined;
    const sitemap = isCanonical ? at.to(`/${ctx.params.site}/sitemap.xml`) : undefined;
    sendRules(ctx, isIndexed ? ['/-/', ARCHIVES] : ['/'], sitemap);
  };
}

/** The pages of the latest version, on the host that has their canonical addresses. */
function sendHostSitemap(parts: AppParts): Middleware {
  return async (ctx, next) => {
    const project = await canonicalAt(ctx, parts);
    return project === undefined ? next() : sendText(ctx, await sitemapOf(parts, project));
  };
}

/** The project whose latest version has its canonical addresses on the host that is asked; undefined for none. */
async function canonicalAt(
  ctx: Context,
  { at, isIndexed, seen, useCases }: AppParts,
): Promise<Project | undefined> {
  const name = decodedComponent(ctx.params.site ?? '');
  const project = isIndexed ? seen.in(ctx).locate(name)?.project : undefined;
  if (project === undefined) return undefined;
  const { onHost, path } = await useCases.canonicalPage.rootOf(project, at.everywhere);
  return onHost && nameOnHost(path) === name ? project : undefined;
}

/** Lets own pages show what is on the hosts of projects: logos, and pages in frames. */
export function allowHosts({ sources }: ProjectHosts): Middleware {
  return async (ctx, next) => {
    await next();
    const policy = ctx.res.getHeader('Content-Security-Policy');
    if (typeof policy !== 'string') return;
    ctx.set('Content-Security-Policy', policy.replace(/(?:img|frame)-src 'self'/g, `$& ${sources}`));
  };
}
