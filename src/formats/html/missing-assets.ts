import { SitePath } from '../../domain/index.js';
import { isRelative, type PageLinks } from './page-links.js';

/** Style sheets and scripts that pages ask for, and the site lacks. */
export interface MissingAssets {
  /** The first ones: paths in the site. */
  readonly first: readonly string[];
  /** Number of all. */
  readonly count: number;
}

/** A page of a site. */
export interface PageOfSite extends PageLinks {
  /** Its path in the site. */
  readonly path: string;
}

const MAX_FIRST = 5;

/** A page that is a template: its builder puts something else here. */
const PLACEHOLDER = /[{<]/;
/** Any address for a site that is below the root of its host, so that a link with `..` can lead out of it. */
const SITE = 'http://site.invalid/site/';

/**
 * Finds style sheets and scripts that some pages of a site ask for by relative links, and that are not in the site. Links
 * that lead out of it do not count, nor do those of pages with a `<base>`.
 * @param hasFile whether the site has a file at a path, which does not begin with `/`
 */
export function missingAssetsOf(
  pages: readonly PageOfSite[],
  hasFile: (path: string) => boolean,
): MissingAssets | undefined {
  const missing = new Set<string>();
  for (const { path, assets, base } of pages) {
    if (base !== undefined) continue;
    const page = new URL(path.split('/').map(encodeURIComponent).join('/'), SITE);
    for (const link of new Set(assets)) {
      const asset = pathOf(link, page);
      if (asset && !hasFile(asset)) missing.add(asset);
    }
  }
  return missing.size === 0 ? undefined : { first: [...missing].slice(0, MAX_FIRST), count: missing.size };
}

/** The path in the site that a link leads to; undefined for one that is not relative, or leads out of the site. */
function pathOf(link: string, page: URL): string | undefined {
  if (!isRelative(link) || PLACEHOLDER.test(link) || !URL.canParse(link, page.href)) return undefined;
  const { origin, pathname } = new URL(link, page);
  const address = origin + pathname;
  return address.startsWith(SITE) ? SitePath.fromUrl(address.slice(SITE.length))?.toString() : undefined;
}
