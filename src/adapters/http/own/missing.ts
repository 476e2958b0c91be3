import type { Missing, Whereabouts } from '../../../application/index.js';
import {
  decodedComponent,
  isSearched,
  type Located,
  nameInProject,
  wordsOfPage,
} from '../../../domain/index.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import {
  type Answer,
  type Asked,
  type Handle,
  JSON_TYPE,
  ownPageAnswer,
  plainAnswer,
} from '../response/answer.js';

/**
 * A 404 page with suggestions.
 * @throws HttpFault `not_found` for an address of the server's own
 * @param urlPath requested path, as it stands in the URL of a page
 */
export async function missingPage(
  asked: Asked,
  { useCases, pages, turns, at }: AppParts,
  missing: Missing,
  urlPath: string,
): Promise<Answer> {
  if (missing.what === 'project') assertNoOwnAddress(urlPath);
  const suggestions = await useCases.suggestInstead.execute(asked.visitor.seen(), missing, urlPath);
  await turns.next();
  asked.waiter.signal.throwIfAborted();
  const signIn = missing.what === 'project' ? asked.visitor.signIn(at.asked(asked)) : undefined;
  return { ...ownPageAnswer(pages.missing({ missing, suggestions, signIn })), status: 404 };
}

/** `/-/suggest/<version directory>/<page>`: pages to read instead of a missing one, as JSON for `/-/switcher.js`. */
export function suggestedPages({ useCases, at }: AppParts): Handle {
  const shown = ({ version, to, fragment = '' }: Whereabouts) => ({
    version: version.label,
    path: decodedComponent(to.slice(to.indexOf('/', 1) + 1)),
    url: at.to(to) + fragment,
  });
  const searchFor = (page: string, found: Located) => {
    const words = wordsOfPage(page);
    if (useCases.searchPages === undefined || words === '' || !isSearched(found)) return {};
    const { version } = found;
    const search = new URLSearchParams({
      project: version.project,
      version: nameInProject(version),
      q: words,
    });
    return { search: { words, url: at.to(`/-/search?${search}`) } };
  };
  return async ({ path, visitor }) => {
    // From the path as sent: the router would decode the page once more than its links do.
    const urlPath = path.slice('/-/suggest'.length);
    const [, directory = ''] = urlPath.split('/', 2);
    const seen = visitor.seen();
    const found = seen.locate(decodedComponent(directory));
    if (found === undefined) throw new HttpFault('not_found', 'There is no such version');
    const { page, closest, inLatest, inOthers } = await useCases.suggestInstead.execute(
      seen,
      { what: 'page', ...found },
      urlPath,
    );
    const { label } = found.version;
    const isElsewhere = inLatest?.isSame === true && inLatest.version.label !== label;
    const body = {
      missing: decodedComponent(page),
      closest: closest.map(shown),
      others: [...(isElsewhere ? [inLatest] : []), ...inOthers].map(shown),
      ...searchFor(page, found),
    };
    return plainAnswer(JSON.stringify(body), JSON_TYPE);
  };
}

/** No project is meant by an address that only the server itself could have. */
function assertNoOwnAddress(urlPath: string): void {
  if (/^\/-(?:\/|$)/.test(urlPath)) {
    throw new HttpFault(
      'not_found',
      "Lectern has no page at this address. Addresses that begin with '/-/' are its own.",
    );
  }
  if (urlPath.startsWith('/help/')) {
    throw new HttpFault('not_found', 'Lectern has no page at this address. Its help is one page, at /help.');
  }
}
