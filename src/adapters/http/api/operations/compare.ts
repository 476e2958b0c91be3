import { addressOfPage, nameInProject } from '../../../../domain/index.js';
import type { AppParts } from '../../app-parts.js';
import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';
import { comparisonFor } from '../comparison-request.js';
import { sitePathOf } from '../projections.js';

/** Max. pages in each list. */
const MAX_LISTED = 1_000;

/** `GET /api/compare/{project}/{before}/{after}`: the pages in which two versions differ. */
export function compareOperation(parts: AppParts): ApiOperation {
  const { at } = parts;
  return {
    method: 'get',
    path: '/api/compare/{project}/{before}/{after}',
    id: 'compareVersions',
    use: 'Read and search',
    summary: 'Lists the pages in which two versions differ',
    description:
      'HTML pages only, by what their main content says. The first time for a version, its pages have to be read: until then the answer may be 503 with `Retry-After`.',
    parameters: ['project', 'before', 'after', 'offset'],
    answers: { 200: { description: 'At most 1,000 pages in each list.', body: 'Comparison' } },
    refusals: ['invalid_request', 'project_not_found', 'version_not_found', 'preview_not_found'],
    handle: async (ctx) => {
      const { comparison, part } = await comparisonFor(ctx, parts, MAX_LISTED);
      const { added, removed, changed, more } = part;
      const oldUrl = (path: string) =>
        at.to(sitePathOf(comparison.before.directoryName) + addressOfPage(path));
      const newUrl = (path: string) =>
        at.to(sitePathOf(comparison.after.directoryName) + addressOfPage(path));
      const { project } = ctx.params;
      const [old, now] = [nameInProject(comparison.before), nameInProject(comparison.after)];
      const url = at.to(`/-/compare/${[project, old, now].map(encodeURIComponent).join('/')}`);
      answer(ctx, 'Comparison', 200, {
        project,
        before: old,
        after: now,
        url,
        added_count: comparison.added.length,
        removed_count: comparison.removed.length,
        changed_count: comparison.changed.length,
        unchanged_count: comparison.unchanged,
        complete: !comparison.isCut,
        added: added.map((path) => ({ path, url: newUrl(path) })),
        removed: removed.map(({ path, redirectedTo, proposedRedirect }) => ({
          path,
          url: oldUrl(path),
          ...(redirectedTo === undefined ? {} : { redirected_to: newUrl(redirectedTo) }),
          ...(proposedRedirect === undefined ? {} : { proposed_redirect: proposedRedirect }),
        })),
        changed: changed.map((page) => ({
          path: page.after,
          before_url: oldUrl(page.before),
          after_url: newUrl(page.after),
          url: `${url}/${addressOfPage(page.after)}`,
        })),
        more,
      });
    },
  };
}
