import { refuse } from '../../domain/index.js';
import { type MarkdownPage, READING_LIMITS } from '../../formats/html/index.js';
import { bytesOf } from '../bytes-of.js';
import type { StoredFile } from '../ports/doc-store.js';
import type { PageMarkdown } from '../ports/page-markdown.js';

/** Bytes of a page that are read: one more than count shows that it is longer. */
const MAX_BYTES = READING_LIMITS.bytes + 1;
/** Max. pages in memory that are converted or wait for it. */
const MAX_PAGES = 10;

/** Use case: turns an HTML page of a site into Markdown. */
export class ReadMarkdown {
  private running = 0;

  constructor(private readonly markdown: PageMarkdown) {}

  /**
   * Reads the file, and closes it in every case.
   * @param withLinks as for `PageMarkdown`
   * @throws Refusal `unavailable` when too many pages are converted or wait
   */
  async execute(file: StoredFile, withLinks: boolean): Promise<MarkdownPage> {
    if (this.running >= MAX_PAGES) {
      await file.close();
      throw refuse.markdownBusy();
    }
    this.running += 1;
    const range = file.size > MAX_BYTES ? { start: 0, end: MAX_BYTES - 1 } : undefined;
    try {
      return await this.markdown.convert(await bytesOf(file.stream(range)), withLinks);
    } finally {
      this.running -= 1;
      await file.close();
    }
  }
}
