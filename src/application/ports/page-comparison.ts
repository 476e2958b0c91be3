import type { SitePage } from './search-index.js';
import type { Waiter } from './waiter.js';

/** Part of a text: in both pages, or in one of them. */
export interface TextPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** A block of text: a heading, a paragraph, a line of code. */
export interface ComparedBlock {
  readonly isHeading: boolean;
  /** Whether it is a line of `pre`, with its spaces. @default false */
  readonly isCode?: boolean;
  /** Anchor of a heading, in the page that has it. */
  readonly anchor?: string;
  readonly parts: readonly TextPart[];
}

/** Digest of a page, for comparison with others. */
export interface PageDigest {
  /** Pages of equal hashes say the same. Empty for a page that exceeds a limit of reading: its rest is not known. */
  readonly hash: string;
  /** The first heading, else the `<title>`. May be empty. */
  readonly title: string;
}

/** Texts of two pages, compared block by block, in the order of the second page. */
export interface PageDifference {
  /** Title of the second page, as in its digest. */
  readonly title: string;
  readonly blocks: readonly ComparedBlock[];
  /** Whether the pages are too long, or too different, to compare all of their words. */
  readonly isCut: boolean;
}

/**
 * Port for comparing what pages say, away from the thread that answers requests. Only the main content counts, as
 * `readPage` finds it. Pages are untrusted. Work waits in a fair queue.
 */
export interface PageComparison {
  /**
   * Returns the digest of each page, in their order.
   * @throws Refusal `unavailable` when too much waits
   */
  digests(pages: readonly SitePage[], waiter?: Waiter): Promise<readonly PageDigest[]>;
  /** @throws Refusal `unavailable` when too much waits */
  difference(before: SitePage, after: SitePage, waiter?: Waiter): Promise<PageDifference>;
  /** Ends background work. Safe to call twice. */
  close(): Promise<void>;
}
