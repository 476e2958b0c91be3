import { READING_LIMITS } from '../html/reading-limits.js';
import { docsifyPage, isDocsifyPage, storybookPages } from './builders.js';
import type { DocumentParsers, DrawnPage } from './drawn-page.js';
import type { DrawnSite } from './drawn-site.js';
import { openApiPages } from './openapi.js';

/** The files that a site is drawn from, among all of its files. */
export function drawnFiles(site: DrawnSite, paths: readonly string[]): readonly string[] {
  if (site.kind === 'docsify') return paths.filter((path) => isDocsifyPage(site, path));
  return site.data === undefined ? [] : [site.data];
}

/**
 * The pages that a site draws from a file. Never throws: a file that cannot be read has none. The first page with an address
 * wins.
 */
export function readDrawn(
  site: DrawnSite,
  file: string,
  bytes: Uint8Array,
  parsers: DocumentParsers,
): readonly DrawnPage[] {
  try {
    const pages = pagesOf(site, file, bytes, parsers);
    return [...new Map(pages.toReversed().map((page) => [page.path, page])).values()].toReversed();
  } catch {
    return [];
  }
}

function pagesOf(
  site: DrawnSite,
  file: string,
  bytes: Uint8Array,
  parsers: DocumentParsers,
): readonly DrawnPage[] {
  // Half of a data file says nothing.
  if (site.kind !== 'docsify' && bytes.length > READING_LIMITS.bytes) return [];
  const text = new TextDecoder().decode(bytes);
  switch (site.kind) {
    case 'storybook':
      return storybookPages(text);
    case 'docsify':
      return [docsifyPage(site, file, text, parsers)];
    case 'openapi':
      return openApiPages(text, site.viewer, parsers);
  }
}
