import type { PageOf, ShownLink, ShownLinks } from '../../application/index.js';
import { addressOfPage, nameInProject, type Version } from '../../domain/index.js';
import type { Body } from '../../formats/api/bodies.js';
import type { ApiOperation } from './api/api-operation.js';
import { sitePathOf } from './api/projections.js';
import { numberOf } from './api/query.js';
import type { AppParts } from './app-parts.js';
import type { PublicAddress } from './public-address.js';
import { type Asked, type Handle, NO_INDEX, ownPage, textAnswer } from './response/answer.js';
import { inTime } from './response/in-time.js';
import { Text } from './response/texts.js';

/** Max. dead links in an answer of the API. */
const MAX_LISTED = 1_000;
/** Max. dead links, or missing targets of a page, that are left out at the beginning: more than any report has. */
const MAX_OFFSET = 9_999_999;

export const deadLinksExample: Body<'DeadLinks'> = {
  project: 'my-project',
  version: '1.0.0',
  checked: true,
  pages: 42,
  links: 310,
  dead: 2,
  by_page: [
    {
      path: 'index.html',
      url: '/my-project-1.0.0/',
      links: [
        {
          link: 'instal.html',
          target: 'instal.html',
          missing: 'page',
          closest: 'install.html',
          redirect: '/instal.html /install.html 301',
        },
        { link: 'setup.html#lnux', target: 'setup.html#lnux', missing: 'anchor', closest: 'linux' },
      ],
    },
  ],
  more: false,
  others: {
    checked: true,
    dead: 1,
    links: [
      {
        page: 'index.html',
        url: '/my-project-1.0.0/',
        link: '/my-library-1.0/setup.html',
        missing: 'version',
      },
    ],
  },
  broken_links_here: [
    {
      project: 'my-app',
      version: '2.1.0',
      page: 'guide.html',
      url: '/my-app-2.1.0/guide.html',
      link: '../my-project-latest/old.html',
      missing: 'page',
    },
  ],
};

/** `GET /api/check/{project}/{version}`: the links of a version that lead nowhere. */
export function checkOperation(parts: AppParts): ApiOperation {
  return {
    method: 'get',
    path: '/api/check/{project}/{version}',
    id: 'checkLinks',
    use: 'Read and search',
    summary: 'List the dead links of a version',
    description:
      'Links to pages, anchors and files of the same version, up to 5,000 dead ones. Links between sites of this server are checked in the background. The first check of a version reads all its pages: until then, the response may be 503 with `Retry-After`.',
    parameters: ['project', 'named', 'linkOffset'],
    requestHeaders: ['If-None-Match'],
    answers: {
      200: { description: 'At most 1,000 dead links.', body: 'DeadLinks', headers: ['ETag', 'Vary'] },
      304: { description: 'Not modified.', headers: ['ETag', 'Vary'] },
    },
    refusals: ['invalid_request', 'project_not_found', 'version_not_found', 'preview_not_found'],
    handle: async (asked) => textAnswer(Text.json(linksBody(await linksFor(asked, parts), parts.at))),
  };
}

/** `/-/check/<project>/<version>`: the links of a version that lead nowhere. */
export function linksPage(parts: AppParts, page: PageOf<ShownPart>): Handle {
  return async (asked) => {
    const shown = await linksFor(asked, parts);
    return { ...textAnswer(ownPage(parts.pages.of(page, shown))), headers: NO_INDEX };
  };
}

/** The dead links of a version, and from where on they are shown. */
interface ShownPart extends ShownLinks {
  readonly offset: number;
}

/** @throws HttpFault `invalid_request` for an offset that is no number; as `ShowLinks.execute` and `inTime` */
async function linksFor(asked: Asked, { useCases: { showLinks } }: AppParts): Promise<ShownPart> {
  const { project = '', version: label = '' } = asked.params;
  const offset = numberOf(asked, 'offset', 0, 0, MAX_OFFSET);
  const { visitor, waiter } = asked;
  const shown = showLinks.execute(visitor.seen(), { project, label }, waiter);
  return { ...(await inTime('The check of all links', shown)), offset };
}

function linksBody(shown: ShownPart, at: PublicAddress): Body<'DeadLinks'> {
  const { version, report, offset } = shown;
  const { byPage, more } = partOf(shown.byPage, offset);
  const { pages = 0, links = 0, dead = 0, isCut = false } = report ?? {};
  return {
    project: version.project,
    version: nameInProject(version),
    checked: report !== undefined,
    pages,
    links,
    dead,
    ...(isCut ? { cut: true } : {}),
    by_page: byPage.map(({ path, links }) => ({
      path,
      url: urlOf(version, path, at),
      links: links.map(linkBody),
    })),
    more,
    ...houseBody(shown, at),
  };
}

/** The part from an offset on, in links. */
function partOf(all: ShownLinks['byPage'], offset: number) {
  const byPage: ShownLinks['byPage'][number][] = [];
  let [before, left] = [offset, MAX_LISTED];
  for (const { path, links } of all) {
    const some = links.slice(before, before + left);
    before = Math.max(0, before - links.length);
    left -= some.length;
    if (some.length > 0) byPage.push({ path, links: some });
  }
  const count = all.reduce((sum, { links }) => sum + links.length, 0);
  return { byPage, more: count > offset + MAX_LISTED };
}

function houseBody({ version, house }: ShownLinks, at: PublicAddress) {
  if (house === undefined) return {};
  const { isChecked, isCut, dead, links, here } = house;
  return {
    others: {
      checked: isChecked,
      ...(isCut ? { cut: true as const } : {}),
      dead,
      links: links.map((each) => ({ ...each, url: urlOf(version, each.page, at) })),
    },
    broken_links_here: here.map(({ version: from, ...each }) => ({
      project: from.project,
      version: nameInProject(from),
      ...each,
      url: urlOf(from, each.page, at),
    })),
  };
}

function urlOf({ directoryName }: Version, page: string, at: PublicAddress): string {
  return at.to(sitePathOf(directoryName) + addressOfPage(page));
}

function linkBody({ link, target, missing, closest, redirect }: ShownLink) {
  return {
    link,
    target,
    missing,
    ...(closest === undefined ? {} : { closest }),
    ...(redirect === undefined ? {} : { redirect }),
  };
}
