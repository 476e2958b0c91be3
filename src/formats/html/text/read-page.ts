import { pageKind } from '../builders.js';
import { decodePage } from '../charset.js';
import { ContentReader } from '../content-reader.js';
import { PageHead } from '../page-head.js';
import { parseHtml } from '../parse-html.js';
import { readContent } from '../read-content.js';
import { Budget, READING_LIMITS, type ReadingLimits } from '../reading-limits.js';
import { withOwnStrings } from './own-strings.js';
import type { PageText } from './page-text.js';
import { SectionCollector } from './section-collector.js';
import { type SiteConventions, siteConventions, withoutConventions } from './site-conventions.js';

export interface ReadingOptions {
  /** Path below the site, decoded, such as `guide/index.html`. It tells the kind of page. */
  readonly path: string;
  /** What the pages of the site share, from `siteConventions`. It is left out. */
  readonly conventions?: SiteConventions;
  readonly limits?: Partial<ReadingLimits>;
  /** Whether text in `pre` keeps its spaces and blank lines. Such a block begins with `CODE_LINE`. @default false */
  readonly keepsCode?: boolean;
}

/**
 * The text of an HTML page, with its sections. Never throws: whatever the bytes are, some text comes out, within the
 * limits.
 */
export function readPage(bytes: Uint8Array, options: ReadingOptions): PageText {
  return withOwnStrings(asPartOfSite(readAlone(bytes, options), options.conventions));
}

/** The text of a page whose site is not known yet: `asPartOfSite` finishes it. It has no title where it has no `<title>`. */
export function readUnfinished(bytes: Uint8Array, options: Omit<ReadingOptions, 'conventions'>): PageText {
  return withOwnStrings(readAlone(bytes, options));
}

/** A page without what its site shares, with a title. */
export function asPartOfSite(page: PageText, conventions?: SiteConventions): PageText {
  return titled(conventions === undefined ? page : withoutConventions(page, conventions));
}

/** The `<title>` of a page, from its first bytes. May be empty. */
export function titleIn(bytes: Uint8Array): string {
  const head = new PageHead();
  const nobody = { open() {}, close() {}, text() {} };
  const budget = new Budget(READING_LIMITS, performance.now() + READING_LIMITS.milliseconds);
  parseHtml(decodePage(bytes), new ContentReader('main', head, nobody), budget);
  return head.titleText;
}

/** The titles of a site's pages without what many of them share, such as the name of the site. */
export function ownTitles(titles: readonly string[]): readonly string[] {
  const pages = titles.map((title) => ({ title, kind: 'ordinary' as const, sections: [], cut: [] }));
  const conventions = siteConventions(pages);
  return pages.map((page) => withoutConventions(page, conventions).title);
}

function readAlone(bytes: Uint8Array, { path, limits, keepsCode }: ReadingOptions): PageText {
  const { head, parts, cut } = readContent(bytes, limits, (budget, parse) => {
    const collector = new SectionCollector(budget, keepsCode);
    parse(collector);
    return collector.sections();
  });
  return {
    title: head.titleText,
    ...(head.language === undefined ? {} : { language: head.language }),
    kind: pageKind(path, head.generators),
    ...(head.redirects ? { excluded: 'redirect' } : head.noindex ? { excluded: 'noindex' } : {}),
    sections: parts,
    cut: [...cut],
  };
}

/** The page with its first heading as title, if it has no `<title>`. */
function titled(page: PageText): PageText {
  if (page.title !== '') return page;
  return { ...page, title: page.sections.find(({ heading }) => heading !== '')?.heading ?? '' };
}
