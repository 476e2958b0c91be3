import {
  archiveNameOf,
  type Project,
  type ProjectOrder,
  SitePath,
  type Version,
} from '../../domain/index.js';

/** Where things are: every link of every page is made here, percent-encoded and rooted. */
export const addresses = {
  projects: '/',
  help: '/help',
  upload: '/-/upload',
  api: '/-/api',
  specification: '/api/spec',
  stylesheet: '/-/assets/lectern.css',
  icon: '/-/assets/favicon.svg',
  script: (name: string) => `/-/assets/${name}.js`,
  style: (name: string) => `/-/assets/${name}.css`,

  index: ({ search, order }: { readonly search: string; readonly order: ProjectOrder }): string => {
    const query = new URLSearchParams();
    if (search !== '') query.set('search', search);
    if (order !== 'name') query.set('sort', order);
    return query.size === 0 ? '/' : `/?${query}`;
  },
  project: ({ directoryName }: Project) => `/-/projects/${segment(directoryName)}`,
  badge: ({ directoryName }: Project) => `/-/badge/${segment(directoryName)}.svg`,
  /** @param page a path inside a site as it stands in a URL: what can be none leads to the site's front page */
  go: ({ directoryName }: Version, page: string) => {
    const path = SitePath.fromUrl(page.replace(/\/+$/, ''));
    const slash = page.endsWith('/') ? '/' : '';
    return `/-/go/${segment(directoryName)}/${path === undefined ? '' : path.toUrl() + slash}`;
  },

  site: ({ directoryName }: Version) => `/${segment(directoryName)}/`,
  archive: ({ directoryName }: Version) => `/${segment(archiveNameOf(directoryName))}`,
  latest: ({ directoryName }: Project) => `/${segment(`${directoryName}-latest`)}/`,
  latestArchive: ({ directoryName }: Project) => `/${segment(archiveNameOf(`${directoryName}-latest`))}`,

  logo: ({ logo }: Project): string | undefined => {
    const path = logo && relative(logo.path);
    return logo && path ? `/${segment(logo.version.directoryName)}/${path}` : undefined;
  },

  /** A file of a site, relative to the site's root; undefined when nothing would be served there. */
  file: (path: string): string | undefined => relative(path) || undefined,
};

/** `+` is common in versions and means itself in a path, so it stays legible. */
function segment(name: string): string {
  return encodeURIComponent(name).replaceAll('%2B', '+');
}

function relative(path: string): string | undefined {
  const checked = SitePath.of(path);
  if (checked === undefined || checked.isHidden) return undefined;
  try {
    return checked.toUrl();
  } catch {
    // Half a surrogate pair, which JSON can spell (`"\ud800"`), has no form in a URL.
    return undefined;
  }
}
