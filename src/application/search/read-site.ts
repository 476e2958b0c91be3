import type { PageText, SiteConventions } from '../../formats/html/index.js';
import type { SearchableSite } from '../ports/search-index.js';

/** A page that can be found. */
export interface ReadablePage {
  readonly path: string;
  readonly page: PageText;
}

/**
 * Reads the pages of a site one after the other. Redirects, `noindex` and pages without text are left out. What many pages
 * share is in the first one that has it, as text without a heading, at its end.
 */
export async function* readSite(site: SearchableSite, signal?: AbortSignal): AsyncGenerator<ReadablePage> {
  // The parser is loaded where pages are read: a server that only searches does without.
  const html = await import('../../formats/html/index.js');
  const conventions = await conventionsOf(site, html);
  const kept = new Set<string>();
  for await (const { path, bytes } of site.pages()) {
    signal?.throwIfAborted();
    const page = html.readPage(bytes, { path, conventions });
    if (page.excluded === undefined && (page.title !== '' || page.sections.length > 0))
      yield { path, page: withShared(page, kept) };
  }
}

/** The page with what it shares and no page before it has. Lists keep nothing, since they come after all other pages. */
function withShared(page: PageText, kept: Set<string>): PageText {
  if (page.shared === undefined || page.kind === 'generated-list') return page;
  const fresh = page.shared.filter((text) => !kept.has(text) && kept.add(text));
  return { ...page, sections: [...page.sections, ...fresh.map((text) => ({ heading: '', level: 0, text }))] };
}

async function conventionsOf(
  site: SearchableSite,
  { readPage, siteConventions }: typeof import('../../formats/html/index.js'),
): Promise<SiteConventions> {
  const sample: PageText[] = [];
  for await (const { path, bytes } of site.sample()) sample.push(readPage(bytes, { path }));
  return siteConventions(sample);
}
