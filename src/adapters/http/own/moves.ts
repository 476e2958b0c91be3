import type { Middleware } from 'koa';
import { decodedComponent } from '../../../domain/index.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { setCachePolicy } from '../response/cache-policy.js';
import { preferredType } from '../response/negotiation.js';
import { redirect } from '../response/redirect.js';
import { sendMissing } from './missing.js';

export const GO_PATHS = ['/-/go/:directory', '/-/go/:directory/{*page}'];

/**
 * `/-/go/<version directory>/<page>`: redirects to the page in that version, or to the nearest existing one. Programs get
 * JSON, which also says whether it is that page.
 * @param toUnknown answers for a project that the reader does not see; by default with a 404 page
 */
export function goToPage(parts: AppParts, toUnknown?: Middleware): Middleware {
  const { useCases, seen, at } = parts;
  return async (ctx, next) => {
    // From the path as sent: the router would decode the page once more than its links do.
    const [, directoryName = '', page = ''] = /^\/-\/go\/([^/]*)\/?(.*)$/s.exec(ctx.path) ?? [];
    const whereabouts = await useCases.goToPage.execute(seen.in(ctx), decodedComponent(directoryName), page);
    if (whereabouts === undefined) {
      const path = `/${directoryName}/${page}`;
      const answer = await useCases.readPage.execute(seen.in(ctx), path, at);
      const project = seen.in(ctx).listedProject(decodedComponent(directoryName));
      const missing =
        answer.kind === 'missing' ? answer.missing : project && { what: 'version' as const, project };
      if (missing === undefined) throw new HttpFault('not_found', 'There is no such version');
      if (missing.what === 'project' && toUnknown !== undefined) return toUnknown(ctx, next);
      return sendMissing(ctx, parts, missing, path);
    }
    const { to, isSame, fragment = '' } = whereabouts;
    const address = at.to(to) + (isSame ? ctx.search : '') + fragment;
    ctx.vary('Accept');
    if (preferredType(ctx, 'html', 'json') !== 'json') return redirect(ctx, address);
    setCachePolicy(ctx, 'revalidate');
    ctx.body = { url: address, same: isSame };
  };
}

/**
 * `/versions.json`: redirects to the list of the project in `Referer`. Material for MkDocs requests the list only
 * beside its site. Without such a project the path belongs to the sites.
 */
export function redirectTheme({ seen, at }: AppParts): Middleware {
  return async (ctx, next) => {
    const [, page = ''] = /^https?:\/\/[^/]+(\/[^?#]*)/i.exec(ctx.get('Referer')) ?? [];
    const [, directoryName = ''] = /^\/([^/]+)\//.exec(at.within(page)) ?? [];
    const found = seen.in(ctx).locate(decodedComponent(directoryName));
    if (found?.project === undefined) return next();
    ctx.vary('Referer');
    redirect(ctx, at.to(`/-/projects/${found.project.directoryName}/versions.json`));
  };
}
