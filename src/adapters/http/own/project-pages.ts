import {
  groupsOf,
  isFiltering,
  isListed,
  PROJECT_ORDERS,
  type Project,
  type ProjectOrder,
  type Source,
  shownSource,
  tagsOf,
  type Version,
} from '../../../domain/index.js';
import { filterOf, flagOf, searchOf } from '../api/query.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { type Asked, type Handle, ownPage, plainAnswer, textAnswer } from '../response/answer.js';
import { stateNumber, Text } from '../response/texts.js';
import { missingPage } from './missing.js';
import { LIST_FORMATS, switcherBody, versionList } from './version-lists.js';

/** Max. projects on the page of a search. */
const MAX_FOUND_SHOWN = 200;
/** The same where pages are found, too, which come after the projects. */
const MAX_BEFORE_PAGES = 5;

const SVG = 'image/svg+xml; charset=utf-8';

/** `/-/projects/<project>`: the page of one project. */
export function projectPage(parts: AppParts): Handle {
  const { useCases, pages, at, texts, turns, readers } = parts;
  return async (asked) => {
    const { project: name = '' } = asked.params;
    const seen = asked.visitor.seen();
    const project = seen.listedProject(name);
    if (project === undefined) return missingPage(asked, parts, { what: 'project' }, lastPartOf(asked));
    const previews = await useCases.showPreviews.ofProject(seen, project.directoryName);
    const diskUse = await useCases.diskUse(project.directoryName);
    const deadLinks = await useCases.knownLinks?.ofLatest(project);
    const isKnown = asked.visitor.isSomebody;
    const revisions = [project.revision, ...previews.map((preview) => preview.revision)];
    // The page says how agents sign in, if they can.
    const issuers = readers.issuers.length;
    const revision = [...revisions, ...Object.values(diskUse), deadLinks, isKnown, issuers].join(' ');
    // Never the client's name for the server: the page is cached for all clients.
    const address = at.fixed;
    const page = await texts.get(`project/${project.directoryName} ${revision}`, async () => {
      await turns.next();
      const { applyRetention } = useCases;
      const plan = applyRetention.planOf(project).filter(({ version }) => isListed({ project, version }));
      const retention = { rules: applyRetention.rulesOf(project), plan };
      const sources = sourcesOf([...project.listed, ...previews], project, isKnown);
      return ownPage(pages.project({ project, previews, retention, diskUse, deadLinks, sources, address }));
    });
    return textAnswer(page);
  };
}

/** Returns what a reader may see of where versions and previews were built from, by directory name. */
function sourcesOf(versions: readonly Version[], project: Project, isKnown: boolean): Map<string, Source> {
  const sources = versions.map((version) => ({
    version,
    source: shownSource({ project, version }, isKnown),
  }));
  return new Map(
    sources.flatMap(({ version, source }) => (source === undefined ? [] : [[version.directoryName, source]])),
  );
}

/** `/-/projects/<project>/versions.json`: the versions in the format of a theme's own selector. */
export function versionsJson({ at, texts }: AppParts): Handle {
  return async ({ params, query, visitor }) => {
    const { project: name = '' } = params;
    const project = visitor.seen().listedProject(name);
    if (project === undefined) throw new HttpFault('not_found', 'There is no such project');
    const { format: wanted = 'mike', version } = query;
    const format = LIST_FORMATS.find((each) => each === wanted);
    if (format === undefined) {
      throw new HttpFault('invalid_request', `'format' must be one of ${LIST_FORMATS.join(', ')}`);
    }
    const current = project.versions.find(({ directoryName }) => directoryName === version);
    const key = `versions/${format}/${(current ?? project).directoryName} ${project.revision}`;
    const list = await texts.get(key, () => Text.json(versionList(format, project, at, current)));
    return textAnswer(list);
  };
}

/** `/-/badge/<project>.svg`, `/-/badge/<project>-<alias>.svg`: the latest version, or that of an alias, as an image. */
export function badgeImage({ pages }: AppParts): Handle {
  return async ({ params, visitor }) => {
    const { project: name = '' } = params;
    const seen = visitor.seen();
    const version = seen.listedProject(name)?.latest ?? seen.resolve(name);
    const badge = pages.badge(version);
    const headers = { 'Content-Security-Policy': "default-src 'none'" };
    if (version !== undefined) return { ...textAnswer(new Text(badge, SVG)), headers };
    // READMEs show the image whatever the status is; programs need the status.
    return { ...plainAnswer(badge, SVG), status: 404, headers };
  };
}

/**
 * `/-/switcher/<version directory>.json`: data of the version switcher.
 * @param siteAt returns the directory of the site that has the requested host for itself, whatever the path says
 */
export function switcherData(
  { useCases, texts, at }: AppParts,
  siteAt: (asked: Asked) => string | undefined = () => undefined,
): Handle {
  return async (asked) => {
    const { directory = '' } = asked.params;
    const site = siteAt(asked);
    const found = asked.visitor.seen().locate(site ?? directory);
    if (found === undefined) throw new HttpFault('not_found', 'There is no such version');
    const { project, version } = found;
    const key = `switcher/${site ?? ''} ${version.directoryName} ${version.revision} ${project?.revision}`;
    const body = await texts.get(key, () =>
      Text.json({
        ...switcherBody(found, useCases.searchPages !== undefined),
        ...(site === undefined ? {} : { site, home: at.to('/') }),
      }),
    );
    return textAnswer(body);
  };
}

/** Last component of the path, as sent, with its `/`. */
function lastPartOf({ path }: Asked): string {
  return path.slice(path.lastIndexOf('/'));
}

/** `/`: all projects, the projects of a group, tag or owner, or search results. Only the whole index is cached. */
export function indexPage({ useCases, pages, at, texts, turns }: AppParts): Handle {
  /** Facets, keyed by the array of all projects. */
  const facetsOf = new WeakMap<readonly Project[], ReturnType<typeof facetsIn>>();
  return async (asked) => {
    const [search, filter] = [searchOf(asked), filterOf(asked)];
    const isWhole = search.isEmpty && !isFiltering(filter);
    if (!isWhole) {
      await turns.next();
      asked.waiter.signal.throwIfAborted();
    }
    const seen = asked.visitor.seen();
    const all = await useCases.listProjects.execute(seen);
    const facets = facetsOf.get(all) ?? facetsIn(all);
    facetsOf.set(all, facets);
    const order = orderOf(asked) ?? (search.isEmpty && facets.groups.length > 0 ? 'group' : 'name');
    const address = at.of(asked);
    const found = await useCases.listProjects.execute(seen, { search, filter, order });
    const isShort = useCases.searchPages !== undefined && !flagOf(asked, 'all');
    const most = isShort ? MAX_BEFORE_PAGES : MAX_FOUND_SHOWN;
    const projects = search.isEmpty ? found : found.slice(0, most);
    const isPart = flagOf(asked, 'part');
    const facts = { projects, found: found.length, isShort, search, filter, facets, order, address };
    const make = () => ownPage(isPart ? pages.indexPart(facts) : pages.index(facts));
    // The empty index shows the address, which depends on the client. It is short, and not cached.
    if (!isWhole || found.length === 0) return textAnswer(make());
    const page = await texts.get(`index/${order}${isPart ? ' part' : ''} ${stateNumber(found)}`, async () => {
      await turns.next();
      return make();
    });
    return textAnswer(page);
  };
}

const facetsIn = (projects: readonly Project[]) => ({ groups: groupsOf(projects), tags: tagsOf(projects) });

/** @throws HttpFault `invalid_request` for an unknown order */
function orderOf({ query: { sort } }: Asked): ProjectOrder | undefined {
  if (sort === undefined || sort === '') return undefined;
  const order = PROJECT_ORDERS.find((each) => each === sort);
  if (order === undefined) {
    throw new HttpFault('invalid_request', `'sort' must be one of ${PROJECT_ORDERS.join(', ')}`);
  }
  return order;
}
