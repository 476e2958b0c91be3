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
  redirectTo,
} from '../response/answer.js';
import { preferredType } from '../response/negotiation.js';

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

/** @throws HttpFault `not_found` for an address that only the server itself could have: it means no project */
function assertNoOwnAddress(urlPath: string): void {
  if (/^\/-(?:\/|$)/.test(urlPath)) {
    throw new HttpFault(
      'not_found',
      "Lectern has no page at this address. Addresses that begin with '/-/' are its own.",
    );
  }
  if (urlPath.startsWith('/help/')) {
    throw new HttpFault(
      'not_found',
      'Lectern has no page at this address. The help is at /help and /-/help/publish.',
    );
  }
}

/**
 * `/-/go/<version directory>/<page>`: redirects to the page in that version, or to the nearest existing one. Programs get
 * JSON, which also says whether it is that page.
 * @param toUnknown answers for a project that the reader does not see; by default with a 404 page
 */
export function goToPage(parts: AppParts, toUnknown?: Handle): Handle {
  const { useCases, at } = parts;
  return async (asked) => {
    // From the path as sent: the router would decode the page once more than its links do.
    const [, directoryName = '', page = ''] = /^\/-\/go\/([^/]*)\/?(.*)$/s.exec(asked.path) ?? [];
    const seen = asked.visitor.seen();
    const whereabouts = await useCases.goToPage.execute(seen, decodedComponent(directoryName), page);
    if (whereabouts === undefined) {
      const path = `/${directoryName}/${page}`;
      const answer = await useCases.readPage.execute(seen, path, at);
      const project = seen.listedProject(decodedComponent(directoryName));
      const missing =
        answer.kind === 'missing' ? answer.missing : project && { what: 'version' as const, project };
      if (missing === undefined) throw new HttpFault('not_found', 'There is no such version');
      if (missing.what === 'project' && toUnknown !== undefined) return toUnknown(asked);
      return missingPage(asked, parts, missing, path);
    }
    const { to, isSame, fragment = '' } = whereabouts;
    const address = at.to(to) + (isSame ? asked.search : '') + fragment;
    const isProgram = preferredType(asked.headers, 'text/html', 'application/json') === 'application/json';
    const answer = isProgram
      ? plainAnswer(JSON.stringify({ url: address, same: isSame }), JSON_TYPE)
      : redirectTo(address);
    return { ...answer, vary: ['Accept'] };
  };
}

/**
 * `/versions.json`: redirects to the list of the project in `Referer`. Material for MkDocs requests the list only
 * beside its site. Without such a project the path belongs to the sites.
 */
export function themeVersions({ at }: AppParts): Handle {
  return async ({ headers, visitor }) => {
    const [, page = ''] = /^https?:\/\/[^/]+(\/[^?#]*)/i.exec(headers.referer ?? '') ?? [];
    const [, directoryName = ''] = /^\/([^/]+)\//.exec(at.within(page)) ?? [];
    const found = visitor.seen().locate(decodedComponent(directoryName));
    if (found?.project === undefined) return undefined;
    const list = at.to(`/-/projects/${found.project.directoryName}/versions.json`);
    return { ...redirectTo(list), vary: ['Referer'] };
  };
}
