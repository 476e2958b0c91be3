import { bestPieces, type FoundPiece } from '../../application/agents/best-blocks.js';
import type { SearchedPage } from '../../application/ports/page-markdown.js';
import { SearchBudget } from '../../application/search/search-budget.js';
import type { DrawnPage } from '../../formats/drawn/drawn-page.js';
import type { DrawnSite } from '../../formats/drawn/drawn-site.js';
import { readDrawn } from '../../formats/drawn/read-drawn.js';
import {
  hasBase,
  MarkdownPage,
  markdownOf,
  markdownTarget,
  type PackedMarkdown,
} from '../../formats/html/index.js';
import { giveWayInThread } from '../../node/background/give-way.js';
import { isAbandoned, job } from '../../node/background/job.js';
import { documentParsers } from '../../node/document-parsers.js';

export interface Page {
  readonly bytes: Uint8Array;
  readonly withLinks: boolean;
}

export interface DrawnFile {
  readonly site: DrawnSite;
  readonly file: string;
  readonly bytes: Uint8Array;
}

export interface PageQuestion {
  readonly query: string;
  readonly pages: readonly (Omit<SearchedPage, 'page'> & { readonly page: PackedMarkdown })[];
}

// Each export is a job.

export const convert = job(({ bytes, withLinks }: Page): PackedMarkdown => {
  // With a `<base>`, relative links would lead elsewhere from the address of the Markdown.
  return markdownOf(bytes, withLinks && !hasBase(bytes) ? { linkTarget: markdownTarget } : {}).packed;
});

export const drawnPages = job(async ({ site, file, bytes }: DrawnFile): Promise<readonly DrawnPage[]> => {
  return readDrawn(site, file, bytes, await documentParsers());
});

export const bestBlocks = job(({ query, pages }: PageQuestion): (readonly FoundPiece[])[] => {
  const budget = SearchBudget.start(isAbandoned);
  return pages.map(({ page, anchor, project }, at) => {
    const share = (at + 1) / pages.length;
    return bestPieces(new MarkdownPage(page), { query, anchor, project }, budget, share);
  });
});

giveWayInThread();
