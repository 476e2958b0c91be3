import { SitePath } from '../../domain/index.js';
import type { WorkTime } from '../work-time.js';
import { DrawnSigns } from './drawn-signs.js';
import { isNeverShown } from './left-out.js';
import { isRelative, OPTIONAL, PLACEHOLDER, SITE } from './link-forms.js';
import { PageHead } from './page-head.js';
import { type Attributes, type HtmlEvents, parseHtml } from './parse-html.js';
import { Budget, READING_LIMITS } from './reading-limits.js';

const MAX_FIRST = 3;
/** The links of a page, as its markup has them. Links that scripts add are not known. */
export interface PageLinks {
  /** `href` and `src` of all elements. */
  readonly links: readonly string[];
  /** Style sheets among them: `<link rel="stylesheet" href>`. */
  readonly styles: readonly string[];
  /** Scripts among them: `<script src>`. */
  readonly scripts: readonly string[];
  /** Style sheets and scripts that its scripts may ask for: `<link rel=modulepreload href>`, `<link rel=preload as=script href>`. */
  readonly preloaded: readonly string[];
  /** Contents of `<meta name=generator>`. */
  readonly generators: readonly string[];
  /** The first `<base href>`, which says what relative links start from. */
  readonly base?: string | undefined;
  /** Whether scripts draw the page: it has some, and almost no text of its own. */
  readonly isDrawn: boolean;
}

/**
 * Reads the links of a page.
 * @param time after which the rest of a hostile page is left out
 */
export function pageLinksOf(html: string, time: WorkTime): PageLinks {
  const found = new LinkCollector();
  parseHtml(html, found, new Budget(READING_LIMITS, time));
  const { links, styles, scripts, preloaded, base, head, isDrawn } = found;
  return { links, styles, scripts, preloaded, generators: head.generators, base, isDrawn };
}

class LinkCollector implements HtmlEvents {
  readonly links: string[] = [];
  readonly styles: string[] = [];
  readonly scripts: string[] = [];
  readonly preloaded: string[] = [];
  base: string | undefined;
  readonly head = new PageHead();
  private readonly drawn = new DrawnSigns();
  /** For each open element, whether its text is not shown. */
  private readonly unseen: boolean[] = [];
  /** Number of those. */
  private notShown = 0;

  get isDrawn(): boolean {
    return this.drawn.areThere && !this.head.redirects;
  }

  open(name: string, attributes: Attributes): void {
    const { href, src } = attributes;
    if (name === 'meta') this.head.open(name, attributes);
    if (name === 'base') this.base ??= href;
    for (const link of [href, src]) if (link !== undefined) this.links.push(link);
    if (name === 'script') this.drawn.hasScripts = true;
    if (name === 'script' && src !== undefined) this.scripts.push(src);
    const unseen = name === 'title' || isNeverShown(name);
    this.unseen.push(unseen);
    if (unseen) this.notShown += 1;
    if (this.notShown === 0) this.drawn.open(name);
    if (name === 'link' && href !== undefined) this.listFor(attributes)?.push(href);
  }

  /** The list for a `<link>`, whose `rel` is a list of words. */
  private listFor({ rel = '', as = '' }: Attributes): string[] | undefined {
    const words = rel.toLowerCase().split(/\s+/);
    if (words.includes('stylesheet')) return this.styles;
    const isPreloaded = words.includes('preload') && /^(?:script|style)$/i.test(as);
    return isPreloaded || words.includes('modulepreload') ? this.preloaded : undefined;
  }

  close(): void {
    if (this.unseen.pop() === true) this.notShown -= 1;
  }

  text(part: string): void {
    if (this.notShown === 0) this.drawn.text(part);
  }
}

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

export interface PageOfSite extends PageLinks {
  /** Path in the site. */
  readonly path: string;
}

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
