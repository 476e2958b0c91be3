import type { DrawnPage } from '../../formats/drawn/drawn-page.js';
import type { DrawnSite } from '../../formats/drawn/drawn-site.js';
import type { MarkdownPage } from '../../formats/html/index.js';
import type { FoundPiece } from '../agents/best-blocks.js';
import type { Waiter } from './waiter.js';

export interface SearchedPage {
  readonly page: MarkdownPage;
  /** Anchor of the section that a search has found: it is preferred to a slightly better one. */
  readonly anchor?: string | undefined;
  /** Name of the project: it tells nothing in front of a question. */
  readonly project?: string | undefined;
}

/**
 * Port for turning pages into Markdown, away from the thread that answers requests. Pages are untrusted. Work waits in a fair
 * queue.
 */
export interface PageMarkdown {
  /**
   * Returns the main content of an HTML page.
   * @param read called when the turn of the page comes
   * @param withLinks whether links keep their targets. Relative ones to pages lead to the Markdown of these
   * @throws Refusal `unavailable` when too many pages wait; the reason of the signal
   */
  convert(read: () => Promise<Uint8Array>, withLinks: boolean, waiter?: Waiter): Promise<MarkdownPage>;
  /**
   * Returns the pages that a script draws from a file of a site. None of a file that cannot be read.
   * @param file path of the file
   * @param read as for `convert`
   * @throws as `convert`
   */
  drawnPages(
    site: DrawnSite,
    file: string,
    read: () => Promise<Uint8Array>,
    waiter?: Waiter,
  ): Promise<readonly DrawnPage[]>;
  /**
   * Returns the pieces of each page that answer a question best, the best one first. Where looking for them takes too long, only some
   * are looked at, or none.
   * @throws as `convert`
   */
  bestBlocks(
    query: string,
    pages: readonly SearchedPage[],
    waiter?: Waiter,
  ): Promise<readonly (readonly FoundPiece[])[]>;
  /** Ends background work. Safe to call twice. */
  close(): Promise<void>;
}
