import { SitePath } from '../../domain/index.js';
import { isNeverShown } from './left-out.js';
import { PageHead } from './page-head.js';
import { type Attributes, type HtmlEvents, parseHtml } from './parse-html.js';
import { Budget, READING_LIMITS } from './reading-limits.js';

/** Characters of text, without white space, from which on a page has text of its own: more than `Loading, please wait …`. */
const MIN_TEXT = 60;
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
 * @param deadline time at which reading ends, as `performance.now()` tells it: the rest of a hostile page is left out
 */
export function pageLinksOf(html: string, deadline: number): PageLinks {
  const found = new LinkCollector();
  parseHtml(html, found, new Budget(READING_LIMITS, deadline));
  const { links, styles, scripts, preloaded, base, head, isDrawn } = found;
  return { links, styles, scripts, preloaded, generators: head.generators, base, isDrawn };
}

/** A scheme, a path from the root, a host, or only a query or a part of the page itself. */
const NOT_RELATIVE = /^\s*(?:[a-z][a-z0-9+.-]*:|[/\\?#]|$)/i;

/** Returns whether a link depends on the address of its page. */
export function isRelative(link: string): boolean {
  return !NOT_RELATIVE.test(link);
}

class LinkCollector implements HtmlEvents {
  readonly links: string[] = [];
  readonly styles: string[] = [];
  readonly scripts: string[] = [];
  readonly preloaded: string[] = [];
  base: string | undefined;
  readonly head = new PageHead();
  private hasScripts = false;
  private hasHeadings = false;
  private characters = 0;
  /** For each open element, whether its text is not shown. */
  private readonly unseen: boolean[] = [];
  /** Number of those. */
  private notShown = 0;

  get isDrawn(): boolean {
    return this.hasScripts && !this.hasHeadings && this.characters < MIN_TEXT && !this.head.redirects;
  }

  open(name: string, attributes: Attributes): void {
    const { href, src } = attributes;
    if (name === 'meta') this.head.open(name, attributes);
    if (name === 'base') this.base ??= href;
    for (const link of [href, src]) if (link !== undefined) this.links.push(link);
    if (name === 'script') this.hasScripts = true;
    if (name === 'script' && src !== undefined) this.scripts.push(src);
    const unseen = name === 'title' || isNeverShown(name);
    this.unseen.push(unseen);
    if (unseen) this.notShown += 1;
    // A page of frames has its text elsewhere.
    if (this.notShown === 0 && /^(?:h[1-6]|frameset)$/.test(name)) this.hasHeadings = true;
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
    if (this.notShown > 0 || this.characters >= MIN_TEXT) return;
    this.characters += part.replace(/\s+/g, '').length;
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

/** A page of a site. */
export interface PageOfSite extends PageLinks {
  /** Its path in the site. */
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
