import type { MarkdownPage } from '../../formats/html/index.js';

/** Port for turning pages into Markdown, away from the thread that answers requests. Pages are untrusted. */
export interface PageMarkdown {
  /**
   * Returns the main content of an HTML page.
   * @param withLinks whether links keep their targets. Relative ones to pages lead to the Markdown of these
   */
  convert(bytes: Uint8Array, withLinks: boolean): Promise<MarkdownPage>;
  /** Ends background work. Safe to call twice. */
  close(): Promise<void>;
}
