import { refuse, versionsBefore } from '../../../domain/index.js';
import { comparisonFor, inTime } from '../api/operations/compare.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { type Handle, redirectTo } from '../response/answer.js';
import { ownPageAnswer } from './own-page.js';

/** Max. pages in each list. */
const MAX_SHOWN = 200;

/** `/-/compare/<project>/<version>/<version>`: the pages in which two versions differ. */
export function comparisonPage(parts: AppParts): Handle {
  return async (asked) => ownPageAnswer(parts.pages.comparison(await comparisonFor(asked, parts, MAX_SHOWN)));
}

/** `/-/compare/<project>/<version>/<version>/<page>`: what one page says in both. */
export function comparedPage({ useCases: { compareVersions }, pages }: AppParts): Handle {
  return async (asked) => {
    // From the path as sent: the router would decode the page once more than its links do.
    const [, page = ''] = /^\/-\/compare\/[^/]*\/[^/]*\/[^/]*\/(.*)$/s.exec(asked.path) ?? [];
    const { project = '', before = '', after = '' } = asked.params;
    const named = { project, before, after };
    const compared = await inTime(compareVersions.page(asked.visitor.seen(), named, page, asked.waiter));
    if (compared === undefined) throw new HttpFault('not_found', 'This page is not in both versions');
    const isBesidePage = asked.query.view === 'page';
    return ownPageAnswer(pages.comparedPage({ compared, isBesidePage }), isBesidePage);
  };
}

/**
 * `/-/compare/<project>`: the comparison chosen in the form. By default it is that of the latest version with the one
 * before, and with `after` alone that of the latest version with `after`, such as a preview.
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
