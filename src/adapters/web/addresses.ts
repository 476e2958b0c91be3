import { archiveNameOf, type Project, SitePath, type Version } from '../../domain/index.js';

/** Where things are: every link of every page is made here, percent-encoded and rooted. */
export const addresses = {
  projects: '/',
  help: '/help',
  stylesheet: '/-/assets/lectern.css',
  icon: '/-/assets/favicon.svg',

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
