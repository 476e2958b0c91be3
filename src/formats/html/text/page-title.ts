import { ContentReader } from '../content-reader.js';
import { decodePage } from '../decode-page.js';
import { PageHead } from '../page-head.js';
import { parseHtml } from '../parse-html.js';
import { Budget, READING_LIMITS } from '../reading-limits.js';
import { siteConventions, withoutConventions } from './site-conventions.js';

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
