import type { Middleware } from 'koa';
import { refuse, versionsBefore } from '../../../domain/index.js';
import { comparisonFor, inTime } from '../api/comparison-request.js';
import type { AppParts } from '../app-parts.js';
import { waiterOf } from '../client-of.js';
import { HttpFault } from '../errors.js';
import { redirect } from '../response/redirect.js';
import { sendOwnPage } from './own-page.js';

/** Max. pages in each list. */
const MAX_SHOWN = 200;

/** `/-/compare/<project>/<version>/<version>`: the pages in which two versions differ. */
export function sendComparison(parts: AppParts): Middleware {
  return async (ctx) => sendOwnPage(ctx, parts.pages.comparison(await comparisonFor(ctx, parts, MAX_SHOWN)));
}

/** `/-/compare/<project>/<version>/<version>/<page>`: what one page says in both. */
export function sendComparedPage({ useCases: { compareVersions }, seen, pages }: AppParts): Middleware {
  return async (ctx) => {
    // From the path as sent: the router would decode the page once more than its links do.
    const [, page = ''] = /^\/-\/compare\/[^/]*\/[^/]*\/[^/]*\/(.*)$/s.exec(ctx.path) ?? [];
    const { project, before, after } = ctx.params;
    const named = { project, before, after };
    const compared = await inTime(compareVersions.page(seen.in(ctx), named, page, waiterOf(ctx)));
    if (compared === undefined) throw new HttpFault('not_found', 'This page is not in both versions');
    const isBesidePage = ctx.query.view === 'page';
    sendOwnPage(ctx, pages.comparedPage({ compared, isBesidePage }), isBesidePage);
  };
}

/**
 * `/-/compare/<project>`: the comparison chosen in the form. By default it is that of the latest version with the one
 * before, and with `after` alone that of the latest version with `after`, such as a preview.
 */
export function chooseComparison({ seen, at }: AppParts): Middleware {
  return async (ctx) => {
    const { project: name = '' } = ctx.params;
    const project = seen.in(ctx).project(name);
    if (project === undefined) throw refuse.projectNotFound(name);
    const latest = project.latest.label;
    const { after = latest } = ctx.query;
    const previous = versionsBefore(project.listed).get(latest)?.label ?? latest;
    const { before = after === latest ? previous : latest } = ctx.query;
    const path = [project.directoryName, before, after].map((each) => encodeURIComponent(String(each)));
    redirect(ctx, at.to(`/-/compare/${path.join('/')}`));
  };
}
