import { PageHead } from './page-head.js';
import { type Attributes, type HtmlEvents, parseHtml } from './parse-html.js';
import { Budget, READING_LIMITS } from './reading-limits.js';

/** What a page links to, as its markup says it. What scripts add is not known. */
export interface PageLinks {
  /** `href` and `src` of all elements. */
  readonly links: readonly string[];
  /** Those of them that are style sheets and scripts: `<link rel="stylesheet" href>`, `<script src>`. */
  readonly assets: readonly string[];
  /** Style sheets and scripts that its scripts may ask for: `<link rel=modulepreload href>`, `<link rel=preload as=script href>`. */
  readonly preloaded: readonly string[];
  /** Contents of `<meta name=generator>`. */
  readonly generators: readonly string[];
  /** The first `<base href>`, which says what relative links start from. */
  readonly base?: string | undefined;
}

/**
 * Reads the links of a page.
 * @param deadline time at which reading ends, as `performance.now()` tells it: the rest of a hostile page is left out
 */
export function pageLinksOf(html: string, deadline: number): PageLinks {
  const found = new LinkCollector();
  parseHtml(html, found, new Budget(READING_LIMITS, deadline));
  const { links, assets, preloaded, base, head } = found;
  return { links, assets, preloaded, generators: head.generators, base };
}

/** A scheme, a path from the root, a host, or only a query or a part of the page itself. */
const NOT_RELATIVE = /^\s*(?:[a-z][a-z0-9+.-]*:|[/\\?#]|$)/i;

/** Returns whether a link depends on the address of its page. */
export function isRelative(link: string): boolean {
  return !NOT_RELATIVE.test(link);
}

class LinkCollector implements HtmlEvents {
  readonly links: string[] = [];
  readonly assets: string[] = [];
  readonly preloaded: string[] = [];
  base: string | undefined;
  readonly head = new PageHead();

  open(name: string, attributes: Attributes): void {
    const { href, src } = attributes;
    if (name === 'meta') this.head.open(name, attributes);
    if (name === 'base') this.base ??= href;
    for (const link of [href, src]) if (link !== undefined) this.links.push(link);
    if (name === 'script' && src !== undefined) this.assets.push(src);
    if (name === 'link' && href !== undefined) this.listFor(attributes)?.push(href);
  }

  /** The list for a `<link>`, whose `rel` is a list of words. */
  private listFor({ rel = '', as = '' }: Attributes): string[] | undefined {
    const words = rel.toLowerCase().split(/\s+/);
    if (words.includes('stylesheet')) return this.assets;
    const isPreloaded = words.includes('preload') && /^(?:script|style)$/i.test(as);
    return isPreloaded || words.includes('modulepreload') ? this.preloaded : undefined;
  }

  close(): void {}

  text(): void {}
}
