import { isPlainName } from '../../../domain/index.js';
import { STATUS_OF } from '../../../formats/index.js';
import { describeApi } from '../api/operations.js';
import type { AppParts, OwnRoute } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { ownPageAnswer } from '../response/answer.js';
import { projectList } from '../sites/llms-txt.js';
import { feed } from './feed.js';
import { goToPage, suggestedPages, themeVersions } from './missing.js';
import { badgeImage, indexPage, projectPage, switcherData, versionsJson } from './project-pages.js';
import { projectTable } from './project-table.js';
import { openSearch, searchPage } from './search-page.js';
import { robotsTxt, sitemapXml } from './sitemap.js';
import { keptFile, staticFiles } from './static-files.js';

/** Scripts for pages of hosted sites. */
const SITE_SCRIPTS = ['/-/switcher.js', '/-/switcher/:module.js', '/-/readthedocs.js'];

/** Versions that the upload page shows. */
const MAX_RECENT = 5;

export const GO_PATHS = ['/-/go/:directory', '/-/go/:directory/{*page}'];

/** All routes of the server's own outside of `/api/` (docs/http-api.md). The first match answers. */
export function ownRoutes(parts: AppParts): readonly OwnRoute[] {
  const { pages, at, useCases, turns, features, client, files = [] } = parts;
  const { searchPages } = useCases;
  const publicFiles = staticFiles(parts.publicDirectory, 'revalidate');
  return [
    { path: '/', handle: indexPage(parts) },
    {
      path: '/help',
      handle: async (asked) => ownPageAnswer(pages.help({ address: at.of(asked), statuses: STATUS_OF })),
    },
    {
      path: '/-/help/publish',
      handle: async (asked) =>
        ownPageAnswer(pages.publishing({ address: at.of(asked), statuses: STATUS_OF })),
    },
    { path: '/llms.txt', handle: projectList(parts) },
    { path: '/robots.txt', handle: robotsTxt(parts) },
    { path: '/sitemap.xml', handle: sitemapXml(parts) },
    {
      path: '/-/upload',
      handle: async (asked) => {
        const recent = useCases.recentChanges.published(asked.visitor.seen()).slice(0, MAX_RECENT);
        return ownPageAnswer(pages.upload({ address: at.of(asked), recent }) ?? noForms(parts));
      },
    },
    {
      path: '/-/manage/:project',
      handle: async ({ params: { project = '' } }) => {
        const page = pages.manage({ project }) ?? noForms(parts);
        if (!isPlainName(project)) throw new HttpFault('not_found', 'No project can have this name');
        return ownPageAnswer(page);
      },
    },
    {
      path: '/-/api',
      handle: async (asked) => {
        // It takes a while to make, and cannot be kept: it shows the address that was asked.
        await turns.next();
        asked.waiter.signal.throwIfAborted();
        return ownPageAnswer(pages.api({ description: await describeApi(parts), address: at.of(asked) }));
      },
    },
    ...(searchPages === undefined
      ? []
      : [
          { path: '/-/search', handle: searchPage(parts, searchPages) },
          { path: '/-/opensearch.xml', handle: openSearch(parts) },
        ]),
    { path: '/-/projects', handle: projectTable(parts) },
    { path: '/-/projects/:project', handle: projectPage(parts) },
    { path: ['/-/feed.atom', '/-/projects/:project/feed.atom'], handle: feed(parts) },
    { path: '/-/projects/:project/versions.json', handle: versionsJson(parts) },
    { path: '/-/badge/:project.svg', handle: badgeImage(parts) },
    { path: '/-/switcher/:directory.json', handle: switcherData(parts) },
    { path: GO_PATHS, handle: goToPage(parts) },
    { path: '/-/suggest/:directory/{*page}', handle: suggestedPages(parts) },
    { path: '/versions.json', handle: themeVersions(parts) },
    ...features.flatMap((feature) => feature(parts).routes ?? []),
    ...files.map((file) => ({ path: file.path, handle: keptFile(file) })),
    { path: '/-/assets/{*file}', files: publicFiles },
    ...(client === undefined ? [] : [{ path: '/-/client.mjs', files: publicFiles }]),
    { path: SITE_SCRIPTS, files: staticFiles(parts.publicDirectory, 'siteScript') },
  ];
}

/** @throws HttpFault `not_found`, with the reason why no page takes a token */
function noForms({ useCases: { authenticate } }: AppParts): never {
  throw new HttpFault('not_found', authenticate.isPossible ? NO_FORMS : NO_TOKENS);
}

const NO_TOKENS = 'Uploads are off: the server was started without --tokens.';
const NO_FORMS = 'This page is off: the server was started with --no-upload-page. Use the client or the API.';
