import {
  type ComparedPageModel,
  type CompareVersions,
  type ComparisonModel,
  type ComparisonQuestion,
  compareDocs,
  type PageOf,
} from '../../application/index.js';
import { addressOfPage, nameInProject, refuse, versionsBefore } from '../../domain/index.js';
import { STRING, type Tools, VERSION } from './agents/tools.js';
import type { ApiOperation } from './api/api-operation.js';
import { sitePathOf } from './api/projections.js';
import { numberOf } from './api/query.js';
import type { AppParts } from './app-parts.js';
import { HttpFault } from './errors.js';
import { type Asked, type Handle, jsonAnswer, ownPageAnswer, redirectTo } from './response/answer.js';
import { inTime } from './response/in-time.js';

/** Max. pages in each list of an answer of the API, and of a page. */
const MAX_LISTED = 1_000;
const MAX_SHOWN = 200;
/** The work, in the answer to a request that waits no longer. */
const COMPARISON = 'The comparison of two versions';
/** Max. pages that are left out at the beginning of each list: more than any site has. */
const MAX_OFFSET = 9_999_999;

/** `GET /api/compare/{project}/{before}/{after}`: the pages in which two versions differ. */
export function compareOperation(parts: AppParts): ApiOperation {
  const { at } = parts;
  return {
    method: 'get',
    path: '/api/compare/{project}/{before}/{after}',
    id: 'compareVersions',
    use: 'Read and search',
    summary: 'List the pages that differ between two versions',
    description:
      'HTML pages only, compared by their main content. The first comparison of a version reads all its pages: until then, the response may be 503 with `Retry-After`.',
    parameters: ['project', 'before', 'after', 'offset'],
    answers: { 200: { description: 'At most 1,000 pages in each list.', body: 'Comparison' } },
    refusals: ['invalid_request', 'project_not_found', 'version_not_found', 'preview_not_found'],
    handle: async (asked) => {
      const { comparison, part } = await comparisonFor(asked, parts, MAX_LISTED);
      const { added, removed, changed, more } = part;
      const oldUrl = (path: string) =>
        at.to(sitePathOf(comparison.before.directoryName) + addressOfPage(path));
      const newUrl = (path: string) =>
        at.to(sitePathOf(comparison.after.directoryName) + addressOfPage(path));
      const { project = '' } = asked.params;
      const [old, now] = [nameInProject(comparison.before), nameInProject(comparison.after)];
      const url = at.to(`/-/compare/${[project, old, now].map(encodeURIComponent).join('/')}`);
      return jsonAnswer('Comparison', 200, {
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

/** `/-/compare/<project>/<version>/<version>`: the pages in which two versions differ. */
export function comparisonPage(parts: AppParts, page: PageOf<ComparisonModel>): Handle {
  const { compareVersions } = parts.useCases;
  return async (asked) => {
    const shown = await comparisonFor(asked, parts, MAX_SHOWN);
    const { comparison, part } = shown;
    const words = await compareVersions.changedWords(comparison, part.changed, asked.waiter);
    return ownPageAnswer(parts.pages.of(page, { ...shown, words }));
  };
}

/** `/-/compare/<project>/<version>/<version>/<page>`: one page, compared between both versions. */
export function comparedPage(
  { useCases: { compareVersions }, pages }: AppParts,
  component: PageOf<ComparedPageModel>,
): Handle {
  return async (asked) => {
    // From the path as sent: the router would decode the page once more than its links do.
    const [, page = ''] = /^\/-\/compare\/[^/]*\/[^/]*\/[^/]*\/(.*)$/s.exec(asked.path) ?? [];
    const { project = '', before = '', after = '' } = asked.params;
    const named = { project, before, after };
    const compared = await inTime(
      COMPARISON,
      compareVersions.page(asked.visitor.seen(), named, page, asked.waiter),
    );
    if (compared === undefined) throw new HttpFault('not_found', 'This page is not in both versions');
    const isBesidePage = asked.query.view === 'page';
    return ownPageAnswer(pages.of(component, { compared, isBesidePage }), isBesidePage);
  };
}

/**
 * `/-/compare/<project>`: the comparison chosen in the form. The default compares the latest version with the one before, and
 * with `after` alone the latest version with `after`, such as a preview.
 */
export function chosenComparison({ at }: AppParts): Handle {
  return async ({ params, query, visitor }) => {
    const { project: name = '' } = params;
    const project = visitor.seen().project(name);
    if (project === undefined) throw refuse.projectNotFound(name);
    const latest = project.latest.label;
    const { after = latest } = query;
    const previous = versionsBefore(project.listed).get(latest)?.label ?? latest;
    const { before = after === latest ? previous : latest } = query;
    const path = [project.directoryName, before, after].map((each) => encodeURIComponent(String(each)));
    return redirectTo(at.to(`/-/compare/${path.join('/')}`));
  };
}

/** The tool by which coding agents compare two versions. */
export function comparisonTool(compareVersions: CompareVersions): Tools {
  return {
    compare_versions: {
      description: 'Lists the pages that differ between two versions, or the differences in one page.',
      properties: { project: STRING, from: STRING, to: VERSION, path: STRING },
      required: ['project', 'from'],
      answer: (look, question: ComparisonQuestion, waiter) =>
        compareDocs(compareVersions, look(), question, waiter),
    },
  };
}

/**
 * Compares the two versions that a path names.
 * @param max pages in each list of the part that is shown, from the parameter `offset` on
 * @throws HttpFault `invalid_request` for an offset that is no number; as `inTime`
 */
async function comparisonFor(asked: Asked, { useCases: { compareVersions } }: AppParts, max: number) {
  const { project = '', before = '', after = '' } = asked.params;
  const offset = numberOf(asked, 'offset', 0, 0, MAX_OFFSET);
  const { visitor, waiter } = asked;
  const comparison = await inTime(
    COMPARISON,
    compareVersions.execute(visitor.seen(), { project, before, after }, waiter),
  );
  return {
    comparison,
    part: await inTime(COMPARISON, compareVersions.part(comparison, offset, max, waiter)),
    offset,
  };
}
