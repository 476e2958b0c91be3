import type { Middleware } from 'koa';
import { MAX_RESULTS, type Missing, type SearchPages } from '../../../application/index.js';
import { LATEST, type Project } from '../../../domain/index.js';
import { isEmptySearch, pageSearchOf } from '../api/page-search-of.js';
import type { AppParts } from '../app-parts.js';
import { sendMissing } from './missing.js';
import { sendOwnPage } from './own-page.js';

/** Results on one page. Those in all projects come in groups, which show fewer of each. */
const RESULTS = 20;

/** `/-/search`: what a search found. Scripts of other pages show its main part as people type. */
export function sendSearch(parts: AppParts, searchPages: SearchPages): Middleware {
  const { pages, seen } = parts;
  return async (ctx) => {
    const search = { ...pageSearchOf(ctx), limit: RESULTS };
    const { query, project, version, limit, offset = 0 } = search;
    const place = project === undefined ? undefined : seen.in(ctx).named(project, version ?? LATEST);
    if (project !== undefined && place === undefined) {
      const missing = missingOf(seen.in(ctx).listedProject(project), version);
      return sendMissing(ctx, parts, missing, `/${project}`);
    }
    const found = isEmptySearch(search) ? undefined : await searchPages.find(() => seen.now(ctx), search);
    const after = offset + limit;
    const isMore = found !== undefined && after < Math.min(found.total, MAX_RESULTS);
    const html = pages.search({
      query,
      place,
      version,
      found,
      offset,
      previous: offset > 0 ? Math.max(0, offset - limit) : undefined,
      next: isMore ? after : undefined,
    });
    ctx.vary('Accept-Language');
    sendOwnPage(ctx, html);
  };
}

function missingOf(project: Project | undefined, version = ''): Missing {
  if (project === undefined) return { what: 'project' };
  return { what: version.startsWith('~') ? 'preview' : 'version', project };
}
