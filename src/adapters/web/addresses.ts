import { type PageHit, pathOfHit, type TableColumn, type Whereabouts } from '../../application/index.js';
import {
  addressOfPage,
  archiveNameOf,
  nameInProject,
  type Project,
  type ProjectFilter,
  type ProjectOrder,
  SitePath,
  type Version,
  withoutTrailingSlashes,
} from '../../domain/index.js';

/** Query of the index; without `sort` it has its default order. */
export interface IndexQuery extends ProjectFilter {
  readonly search?: string | undefined;
  readonly sort?: ProjectOrder | undefined;
  /** Whether a search shows all projects that it finds, not just the first ones. */
  readonly all?: 'true' | undefined;
}

/** Query of the table of projects; without `sort` and `order` it has its default order. */
export interface TableQuery extends ProjectFilter {
  readonly search?: string | undefined;
  readonly sort?: TableColumn | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  readonly offset?: number | undefined;
  readonly format?: 'csv' | undefined;
}

/** A search for pages: the query, and the project and version, group or tag to search in. */
export interface PageQuery extends ProjectFilter {
  readonly query?: string;
  /** Directory name. */
  readonly project?: string | undefined;
  readonly version?: string | undefined;
  /** Whether a project that the words name does not count. */
  readonly isEverywhere?: boolean;
  /** Results to leave out. */
  readonly offset?: number | undefined;
  /** Whether to count what matches, too. Pages do so anyway. */
  readonly facets?: true;
}

export type Addresses = ReturnType<typeof addressesAt>;

/**
 * Returns the addresses for all links of the pages, percent-encoded.
 * @param to returns the address of a path on this server, which begins with `/` and may have a query
 */
export function addressesAt(to: (path: string) => string) {
  return {
    projects: to('/'),
    help: to('/help'),
    publishing: to('/-/help/publish'),
    upload: to('/-/upload'),
    api: to('/-/api'),
    specification: to('/api/spec'),
    stylesheet: to('/-/assets/lectern.css'),
    icon: to('/-/assets/favicon.svg'),
    openSearch: to('/-/opensearch.xml'),
    /** @param path begins with `/`, without the base path */
    own: to,
    style: (name: string) => to(`/-/assets/${name}.css`),

    index: (query: IndexQuery): string => to(withQuery('/', query)),
    table: (query: TableQuery): string => to(withQuery('/-/projects', query)),
    project: ({ directoryName }: Project) => to(`/-/projects/${segment(directoryName)}`),
    /** @param name of a project that may not be there */
    projectNamed: (name: string) => to(`/-/projects/${segment(name)}`),
    /** Feed of a project, or of all projects. */
    feed: (project?: Project) =>
      to(project === undefined ? '/-/feed.atom' : `/-/projects/${segment(project.directoryName)}/feed.atom`),
    manage: ({ directoryName }: Project) => to(`/-/manage/${segment(directoryName)}`),
    usage: ({ directoryName }: Project, days?: number) =>
      to(`/-/projects/${segment(directoryName)}/usage${days === undefined ? '' : `?days=${days}`}`),
    usageData: ({ directoryName }: Project, days: number, format: 'csv' | 'json') =>
      to(`/api/projects/${segment(directoryName)}/usage?days=${days}&format=${format}`),
    compare: ({ directoryName }: Project) => to(`/-/compare/${segment(directoryName)}`),
    comparison: ({ directoryName }: Project, before: Version, after: Version) =>
      to(`/-/compare/${[directoryName, nameInProject(before), nameInProject(after)].map(segment).join('/')}`),
    links: (version: Version) =>
      to(`/-/check/${[version.project, nameInProject(version)].map(segment).join('/')}`),
    badge: ({ directoryName }: Project) => to(`/-/badge/${segment(directoryName)}.svg`),
    /** @param page a percent-encoded path inside a site; an invalid one leads to the site's front page */
    go: ({ directoryName }: Version, page: string) => {
      const path = SitePath.fromUrl(withoutTrailingSlashes(page));
      const slash = page.endsWith('/') ? '/' : '';
      return to(`/-/go/${segment(directoryName)}/${path === undefined ? '' : path.toUrl() + slash}`);
    },
    /** `/-/search` with a search in all projects, or in one. */
    search: ({ query, offset, isEverywhere, ...place }: PageQuery = {}): string => {
      const all = isEverywhere ? { all_projects: true as const } : {};
      return to(withQuery('/-/search', { q: query, ...place, ...all, offset: offset || undefined }));
    },
    hit: (hit: PageHit) => to(pathOfHit(hit)),
    /** Address of a page found by `GoToPage`. */
    found: ({ to: path, fragment = '' }: Whereabouts) => to(path) + fragment,

    site: ({ directoryName }: Pick<Version, 'directoryName'>) => to(`/${segment(directoryName)}/`),
    archive: ({ directoryName }: Version) => to(`/${segment(archiveNameOf(directoryName))}`),
    latest: ({ directoryName }: Project) => to(`/${segment(`${directoryName}-latest`)}/`),
    latestArchive: ({ directoryName }: Project) =>
      to(`/${segment(archiveNameOf(`${directoryName}-latest`))}`),

    logo: ({ logo }: Project): string | undefined => {
      const path = logo && relative(logo.path);
      return logo && path ? to(`/${segment(logo.version.directoryName)}/${path}`) : undefined;
    },

    /** Address of a page relative to its site's root: a front page is its directory. */
    page: addressOfPage,
    /** Address of a file relative to the site's root; undefined for paths that are never served. */
    file: (path: string): string | undefined => relative(path) || undefined,
  };
}

/** Percent-encodes a path component, except `+`, which is common in versions and literal in a path. */
function segment(name: string): string {
  return encodeURIComponent(name).replaceAll('%2B', '+');
}

function relative(path: string): string | undefined {
  const checked = SitePath.of(path);
  if (checked === undefined || checked.isHidden) return undefined;
  try {
    return checked.toUrl();
  } catch {
    // A lone surrogate, possible in JSON (`"\ud800"`), cannot be encoded in a URL.
    return undefined;
  }
}

/** Appends the values that are there as a query. */
function withQuery(path: string, values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
