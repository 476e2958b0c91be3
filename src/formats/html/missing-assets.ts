import { SitePath } from '../../domain/index.js';
import { isRelative, type PageLinks } from './page-links.js';

/** The first paths of a list in the site, and the number of all. */
export interface SomePaths {
  readonly first: readonly string[];
  readonly count: number;
}

/** Style sheets and scripts that pages ask for, and the site lacks. */
export interface MissingAssets {
  readonly missingStyles?: SomePaths | undefined;
  readonly missingScripts?: SomePaths | undefined;
}

/** A page of a site. */
export interface PageOfSite extends PageLinks {
  /** Its path in the site. */
  readonly path: string;
}

const MAX_FIRST = 3;

/** A page that is a template: its builder puts something else here. */
const PLACEHOLDER = /[{<]/;
/** Any address for a site that is below the root of its host, so that a link with `..` can lead out of it. */
const SITE = 'http://site.invalid/site/';
/**
 * Scripts that rustdoc's pages ask for whether they are there or not: implementors of a trait in other crates, and methods of an alias
 * of a type.
 */
const OPTIONAL = /^(?:.*\/)?(?:trait\.impl|type\.impl|implementors)\/.*\.js$/;

/**
 * Finds style sheets and scripts that some pages of a site ask for by relative links, and that are not in the site. Links
 * that lead out of it do not count, nor do those of pages with a `<base>`.
 * @param hasFile whether the site has a file at a path, which does not begin with `/`
 */
export function missingAssetsOf(
  pages: readonly PageOfSite[],
  hasFile: (path: string) => boolean,
): MissingAssets {
  const missing = (kind: 'styles' | 'scripts'): SomePaths | undefined => {
    const paths = new Set<string>();
    for (const { path, base, [kind]: links } of pages) {
      if (base !== undefined) continue;
      const page = new URL(path.split('/').map(encodeURIComponent).join('/'), SITE);
      for (const link of new Set(links)) {
        const asset = pathOf(link, page);
        if (asset && !hasFile(asset) && !OPTIONAL.test(asset)) paths.add(asset);
      }
    }
    return paths.size === 0 ? undefined : { first: [...paths].slice(0, MAX_FIRST), count: paths.size };
  };
  return { missingStyles: missing('styles'), missingScripts: missing('scripts') };
}

/** The path in the site that a link leads to; undefined for one that is not relative, or leads out of the site. */
function pathOf(link: string, page: URL): string | undefined {
  if (!isRelative(link) || PLACEHOLDER.test(link) || !URL.canParse(link, page.href)) return undefined;
  const { origin, pathname } = new URL(link, page);
  const address = origin + pathname;
  return address.startsWith(SITE) ? SitePath.fromUrl(address.slice(SITE.length))?.toString() : undefined;
}
