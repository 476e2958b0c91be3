import { decodedComponent } from '../../../domain/index.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { type Handle, JSON_TYPE, plainAnswer, redirectTo } from '../response/answer.js';
import { preferredType } from '../response/negotiation.js';
import { missingPage } from './missing.js';

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
