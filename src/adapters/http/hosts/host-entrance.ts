import { type IncomingHttpHeaders, METHODS } from 'node:http';
import { decodedComponent, type Project, type Reader, readerOnHostOf } from '../../../domain/index.js';
import type { Visitor, VisitorListener } from '../access/readers.js';
import type { AppParts, OwnRoute } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { goToPage } from '../own/missing.js';
import { switcherData } from '../own/project-pages.js';
import { GO_PATHS, ownRoutes } from '../own/routes.js';
import { ARCHIVES, nameOnHost, robotRules, sitemapOf } from '../own/sitemap.js';
import { PRIVATE_MCP_PATH } from '../public-address.js';
import { type Asked, type Handle, redirectTo, textAnswer } from '../response/answer.js';
import { hostTableOf, isServedOnHosts, type ProjectHosts } from './project-hosts.js';

/** Path for which a request to a host without a site is answered. No site has this path: they begin with their directory. */
const NO_SITE = '/';
/** Addresses that say who the host is and where to sign in: never those of the site (RFC 8414, RFC 9728, RFC 8555). */
const OF_HOST = /^\/\.well-known\/(?:oauth-|openid-configuration|acme-challenge(?:\/|$))/;

/**
 * First handler of requests to the hosts of projects: puts the directory of the host's site in front of the path, so that
 * everything behind works as for path addresses. Addresses below `/-/` stay as they are.
 */
export class HostEntrance {
  /** @param trustProxy whether `X-Forwarded-Host` is believed */
  constructor(
    private readonly hosts: ProjectHosts,
    private readonly trustProxy: boolean,
  ) {}

  /** Passes requests for hosts of projects to `onHosts`, others to `main`. */
  between(main: VisitorListener, onHosts: VisitorListener): VisitorListener {
    return (request, response, visitor) => {
      const label = this.labelIn(request.headers);
      if (label === undefined) return main(request, response, visitor);
      const { url = '' } = request;
      if (!url.startsWith('/-/') && !OF_HOST.test(decodedComponent(url.replace(/[?#].*/s, ''))))
        request.url = pathFor(visitor, label, url);
      const there = visitor.onHost(() => readerAt(visitor, label));
      onHosts(request, response, there);
    };
  }

  /**
   * Returns the directory of the site at the host that is asked; undefined when there is none.
   * @throws Refusal when the store is out of reach
   */
  siteOf({ headers, visitor }: Asked): string | undefined {
    const label = this.labelIn(headers);
    return label === undefined ? undefined : directoryAt(visitor.main, label);
  }

  private labelIn(headers: IncomingHttpHeaders): string | undefined {
    const forwarded = this.trustProxy
      ? String(headers['x-forwarded-host'] ?? '')
          .split(',', 1)[0]
          ?.trim()
      : '';
    return this.hosts.labelIn(forwarded || headers.host || '');
  }
}

/**
 * Returns who a visitor is on the host of a project.
 * @throws Refusal when the store is out of reach
 */
function readerAt(visitor: Visitor, label: string): Reader {
  const directory = directoryAt(visitor, label);
  const version = directory === undefined ? undefined : visitor.look().resolve(directory);
  return readerOnHostOf(version?.project, visitor.reader());
}

function pathFor(visitor: Visitor, label: string, url: string): string {
  // A whole address (`GET http://…`) may name another host.
  if (!url.startsWith('/')) return NO_SITE;
  try {
    const directory = directoryAt(visitor, label);
    return directory === undefined ? NO_SITE : `/${directory}${url}`;
  } catch {
    // The handler of this path fails likewise, and reports it.
    return NO_SITE;
  }
}

function directoryAt(visitor: Visitor, label: string): string | undefined {
  return hostTableOf(visitor.look()).directoryAt(label);
}

/** All routes of the server's own on the hosts of projects. Other addresses below `/-/` are on the main host. */
export function hostRoutes(parts: AppParts, entrance: HostEntrance): readonly OwnRoute[] {
  const paths = ({ path }: OwnRoute) => (typeof path === 'string' ? [path] : path);
  const toMainHost: Handle = async ({ target }) => redirectTo(parts.at.fixed + target);
  return [
    { path: NO_SITE, handle: noSite(entrance) },
    { path: '/-/switcher/:directory.json', handle: switcherData(parts, (asked) => entrance.siteOf(asked)) },
    { path: '/:site/robots.txt', handle: unlessUploaded(parts, hostRobots(parts)) },
    { path: '/:site/sitemap.xml', handle: unlessUploaded(parts, hostSitemap(parts)) },
    { path: PRIVATE_MCP_PATH, methods: METHODS, handle: noSignIn },
    // Pages may link to other projects in this way.
    { path: GO_PATHS, handle: goToPage(parts, toMainHost) },
    ...ownRoutes(parts).filter((route) => paths(route).every(isServedOnHosts)),
    { path: '/-/{*rest}', handle: toMainHost },
  ];
}

const noSignIn: Handle = async () => {
  throw new HttpFault('not_found', 'Agents sign in on the main host');
};

function noSite(entrance: HostEntrance): Handle {
  return async (asked) => {
    // Another attempt: it fails if the store is out of reach.
    entrance.siteOf(asked);
    throw new HttpFault(
      'not_found',
      'Nothing is published at this host. Its project may have another name, or may be gone.',
    );
  };
}

/** A file that the site may bring itself. With `--no-indexing` its own does not count. */
function unlessUploaded({ useCases, indexing, at }: AppParts, handle: Handle): Handle {
  return async (asked) => {
    const look = (path: string) => useCases.readPage.execute(asked.visitor.seen(), path, at);
    const here = await look(asked.path);
    const answer = here.kind === 'other-root' ? await look(here.to.path) : here;
    if (answer.kind === 'page') await answer.file.close();
    if (answer.kind === 'missing') await answer.page?.file.close();
    return indexing && answer.kind !== 'missing' ? undefined : handle(asked);
  };
}

function hostRobots(parts: AppParts): Handle {
  const { at, indexing } = parts;
  return async (asked) => {
    const isCanonical = (await canonicalAt(asked, parts)) !== undefined;
    const sitemap = isCanonical ? at.to(`/${asked.params.site}/sitemap.xml`) : undefined;
    return robotRules(indexing ? ['/-/', ARCHIVES] : ['/'], sitemap);
  };
}

/** The pages of the latest version, on the host that has their canonical addresses. */
function hostSitemap(parts: AppParts): Handle {
  return async (asked) => {
    const project = await canonicalAt(asked, parts);
    return project && textAnswer(await sitemapOf(parts, project));
  };
}

/** The project whose latest version has its canonical addresses on the host that is asked; undefined for none. */
async function canonicalAt(
  { params, visitor }: Asked,
  { at, indexing, useCases }: AppParts,
): Promise<Project | undefined> {
  const name = decodedComponent(params.site ?? '');
  const project = indexing ? visitor.seen().locate(name)?.project : undefined;
  if (project === undefined) return undefined;
  const { onHost, path } = await useCases.canonicalPage.rootOf(project, at.everywhere);
  return onHost && nameOnHost(path) === name ? project : undefined;
}
