import { ALL_VERSIONS, MAX_RESULTS, type Missing, type SearchPages } from '../../../application/index.js';
import { LATEST, type Located, type Project, type VisibleCatalogue } from '../../../domain/index.js';
import { filterOf, flagOf, isEmptySearch, pageSearchOf, parameterOf } from '../api/query.js';
import { countUnfound } from '../api/unfound-search.js';
import type { AppParts } from '../app-parts.js';
import { type Asked, type Handle, ownPage, textAnswer } from '../response/answer.js';
import { Text } from '../response/texts.js';
import { missingPage } from './missing.js';

const OPEN_SEARCH = 'application/opensearchdescription+xml; charset=utf-8';
/** Results on one page. A search in all projects groups them, and shows fewer of each project. */
const MAX_ON_PAGE = 20;
/** Characters of a snippet, of which the search page shows the beginning in the list, and all beside it. */
const SNIPPET_LENGTH = 700;
/** Favourites that count. */
const MAX_FAVOURITES = 50;

/** `/-/search`: results of a search. Scripts of other pages ask for the part that changes as people type. */
export function searchPage(parts: AppParts, searchPages: SearchPages): Handle {
  const { pages, useCases } = parts;
  return async (asked) => {
    const { visitor } = asked;
    const isPart = flagOf(asked, 'part');
    const search = searchOf(asked, isPart);
    const { query, project, version, limit, offset = 0 } = search;
    const place = project === undefined ? undefined : placeOf(visitor.seen(), project, version);
    if (project !== undefined && place === undefined) {
      const missing = missingOf(visitor.seen().listedProject(project), version);
      return missingPage(asked, parts, missing, `/${project}`);
    }
    const found = isEmptySearch(search) ? undefined : await searchPages.find(() => visitor.look(), search);
    // As people type, each beginning of a word would be another search.
    if (found !== undefined && !isPart) countUnfound(asked, query, found, useCases);
    const after = offset + limit;
    const isMore = found !== undefined && after < Math.min(found.total, MAX_RESULTS);
    const model = {
      query,
      place,
      version,
      filter: filterOf(asked),
      isEverywhere: flagOf(asked, 'all_projects'),
      found,
      offset,
      previous: offset > 0 ? Math.max(0, offset - limit) : undefined,
      next: isMore ? after : undefined,
    };
    const page = ownPage(isPart ? pages.searchPart(model) : pages.search(model));
    const answer = textAnswer(page, found?.incomplete === true ? 'never' : 'revalidate');
    return { ...answer, vary: ['Accept-Language'] };
  };
}

/** `/-/opensearch.xml`: how browsers search here. It has to have absolute addresses, so there is none without `--public-url`. */
export function openSearch({ pages, at: { fixed } }: AppParts): Handle {
  return async () =>
    fixed === undefined ? undefined : textAnswer(new Text(pages.openSearch({ address: fixed }), OPEN_SEARCH));
}

/** Only the script of the search page asks for a part with counts. Within one project they would say nothing. */
function searchOf(asked: Asked, isPart: boolean) {
  const search = pageSearchOf(asked);
  const isOfSearchPage = search.facets === true || !isPart;
  const facets = search.project === undefined && isOfSearchPage;
  // Favourites are kept in the browser, whose scripts name them.
  const favourites = parameterOf(asked, 'favourites').split(',').slice(0, MAX_FAVOURITES);
  const snippetLength = isOfSearchPage ? SNIPPET_LENGTH : undefined;
  return { ...search, favourites, facets, snippetLength, limit: MAX_ON_PAGE };
}

/** The version that is named; the latest where all are. */
function placeOf(seen: VisibleCatalogue, project: string, version = LATEST): Located | undefined {
  const found = seen.named(project, version);
  if (found !== undefined || version !== ALL_VERSIONS) return found;
  const listed = seen.listedProject(project);
  return listed && { project: listed, version: listed.latest };
}

function missingOf(project: Project | undefined, version = ''): Missing {
  if (project === undefined) return { what: 'project' };
  return { what: version.startsWith('~') ? 'preview' : 'version', project };
}
