import type { Whereabouts } from '../../application/index.js';
import {
  archiveNameOf,
  type Project,
  type ProjectOrder,
  SitePath,
  type Version,
  withoutTrailingSlashes,
} from '../../domain/index.js';
import { renderer, zipWriter } from './libraries.js';

export type Addresses = ReturnType<typeof addressesAt>;

/**
 * Returns the addresses for all links of the pages, percent-encoded.
 * @param base prefix of every address: a base path or a whole address, without a `/` at its end
 */
export function addressesAt(base: string) {
  return {
    projects: `${base}/`,
    help: `${base}/help`,
    upload: `${base}/-/upload`,
    api: `${base}/-/api`,
    specification: `${base}/api/spec`,
    stylesheet: `${base}/-/assets/lectern.css`,
    icon: `${base}/-/assets/favicon.svg`,
    renderer: base + renderer.script,
    zipWriter: base + zipWriter.script,
    script: (name: string) => `${base}/-/assets/${name}.js`,
    style: (name: string) => `${base}/-/assets/${name}.css`,

    index: ({ search, order }: { readonly search: string; readonly order: ProjectOrder }): string => {
      const query = new URLSearchParams();
      if (search !== '') query.set('search', search);
      if (order !== 'name') query.set('sort', order);
      return query.size === 0 ? `${base}/` : `${base}/?${query}`;
    },
    project: ({ directoryName }: Project) => `${base}/-/projects/${segment(directoryName)}`,
    badge: ({ directoryName }: Project) => `${base}/-/badge/${segment(directoryName)}.svg`,
    /** @param page a percent-encoded path inside a site; an invalid one leads to the site's front page */
    go: ({ directoryName }: Version, page: string) => {
      const path = SitePath.fromUrl(withoutTrailingSlashes(page));
      const slash = page.endsWith('/') ? '/' : '';
      return `${base}/-/go/${segment(directoryName)}/${path === undefined ? '' : path.toUrl() + slash}`;
    },
    /** Address of a page found by `GoToPage`. */
    found: ({ to }: Whereabouts) => base + to,

    site: ({ directoryName }: Version) => `${base}/${segment(directoryName)}/`,
    archive: ({ directoryName }: Version) => `${base}/${segment(archiveNameOf(directoryName))}`,
    latest: ({ directoryName }: Project) => `${base}/${segment(`${directoryName}-latest`)}/`,
    latestArchive: ({ directoryName }: Project) =>
      `${base}/${segment(archiveNameOf(`${directoryName}-latest`))}`,

    logo: ({ logo }: Project): string | undefined => {
      const path = logo && relative(logo.path);
      return logo && path ? `${base}/${segment(logo.version.directoryName)}/${path}` : undefined;
    },

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
