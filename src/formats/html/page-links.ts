import { PageHead } from './page-head.js';
import { type Attributes, type HtmlEvents, parseHtml } from './parse-html.js';
import { Budget, READING_LIMITS } from './reading-limits.js';

/** What a page links to, as its markup says it. What scripts add is not known. */
export interface PageLinks {
  /** `href` and `src` of all elements. */
  readonly links: readonly string[];
  /** Those of them that are style sheets and scripts: `<link rel=stylesheet href>`, `<script src>`. */
  readonly assets: readonly string[];
  /** Contents of `<meta name=generator>`. */
  readonly generators: readonly string[];
  /** It has a `<base href>`, which says what relative links start from. */
  readonly hasBase: boolean;
}

/**
 * Reads the links of a page.
 * @param deadline time at which reading ends, as `performance.now()` tells it: the rest of a hostile page is left out
 */
export function pageLinksOf(html: string, deadline: number): PageLinks {
  const found = new LinkCollector();
  parseHtml(html, found, new Budget(READING_LIMITS, deadline));
  const { links, assets, hasBase, head } = found;
  return { links, assets, generators: head.generators, hasBase };
}

class LinkCollector implements HtmlEvents {
  readonly links: string[] = [];
  readonly assets: string[] = [];
  hasBase = false;
  readonly head = new PageHead();

  open(name: string, attributes: Attributes): void {
    const { href, src, rel } = attributes;
    if (name === 'meta') this.head.open(name, attributes);
    if (name === 'base') this.hasBase ||= href !== undefined;
    for (const link of [href, src]) if (link !== undefined) this.links.push(link);
    if (name === 'script' && src !== undefined) this.assets.push(src);
    if (name === 'link' && href !== undefined && isStyleSheet(rel)) this.assets.push(href);
  }

  close(): void {}

  text(): void {}
}

/** `rel` is a list of words. */
function isStyleSheet(rel = ''): boolean {
  return rel.toLowerCase().split(/\s+/).includes('stylesheet');
}
