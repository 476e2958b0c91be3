import type { DocumentParsers } from '../../formats/drawn/drawn-page.js';
import type { PageText } from '../../formats/html/index.js';
import { isListing } from '../../formats/html/text/page-text.js';
import type { SearchableSite, SitePage } from '../ports/search-index.js';

/** A page that can be found. */
export interface ReadablePage {
  readonly path: string;
  readonly page: PageText;
}

/** Bytes of a page that tell what it shares with others: all pages of a sample are in memory. */
const SAMPLED_BYTES = 500_000;

/**
 * Reads the pages of a site one after the other. Redirects, `noindex` and pages without text are left out. Text that many
 * pages share is in the first one that has it, as text without a heading, at its end.
 * @param parsers for files that pages are drawn from
 */
export async function* readSite(
  site: SearchableSite,
  parsers: () => Promise<DocumentParsers>,
  signal?: AbortSignal,
): AsyncGenerator<ReadablePage> {
  // The parser is loaded where pages are read: a server that only searches does without.
  const html = await import('../../formats/html/index.js');
  const sample: PageText[] = [];
  const whole = new Map<string, PageText>();
  for await (const { path, bytes } of site.sample()) {
    const page = html.readUnfinished(bytes.subarray(0, SAMPLED_BYTES), { path });
    sample.push(html.asPartOfSite(page));
    if (bytes.length <= SAMPLED_BYTES) whole.set(path, page);
  }
  const conventions = html.siteConventions(sample);
  const kept = new Set<string>();
  const shells = new Set<string>();
  for await (const { path, bytes, drawn } of site.pages()) {
    signal?.throwIfAborted();
    if (drawn !== undefined) {
      const { shellsOf } = await import('../../formats/drawn/drawn-site.js');
      for await (const page of drawnPagesIn({ path, bytes, drawn }, parsers)) {
        for (const shell of shellsOf(drawn)) shells.add(shell);
        yield page;
      }
      continue;
    }
    if (shells.has(path)) continue;
    // Pages of the sample are parsed once: a small site is its own sample.
    const known = whole.get(path);
    whole.delete(path);
    const page =
      known === undefined
        ? html.readPage(bytes, { path, conventions })
        : html.asPartOfSite(known, conventions);
    if (page.excluded === undefined && (page.title !== '' || page.sections.length > 0))
      yield { path, page: withShared(page, kept) };
  }
}

async function* drawnPagesIn(
  { path, bytes, drawn }: SitePage & Required<Pick<SitePage, 'drawn'>>,
  parsers: () => Promise<DocumentParsers>,
): AsyncGenerator<ReadablePage> {
  const { readDrawn } = await import('../../formats/drawn/read-drawn.js');
  const { readPage } = await import('../../formats/html/index.js');
  const utf8 = new TextEncoder();
  for (const { path: drawnPath, html } of readDrawn(drawn, path, bytes, await parsers())) {
    yield { path: drawnPath, page: readPage(utf8.encode(html), { path: drawnPath }) };
  }
}

/** The page with what it shares and no page before it has. Lists keep nothing, since they come after all other pages. */
function withShared(page: PageText, kept: Set<string>): PageText {
  if (page.shared === undefined || isListing(page.kind)) return page;
  const fresh = page.shared.filter((text) => !kept.has(text) && kept.add(text));
  return { ...page, sections: [...page.sections, ...fresh.map((text) => ({ heading: '', level: 0, text }))] };
}
