import { type MarkdownPage, READING_LIMITS } from '../../formats/html/index.js';
import type { StoredFile } from '../ports/doc-store.js';
import type { PageMarkdown } from '../ports/page-markdown.js';
import type { Waiter } from '../ports/waiter.js';
import { startOf } from '../site-files.js';

/** Bytes of a page that are read: one more than count shows that it is longer. */
const MAX_BYTES = READING_LIMITS.bytes + 1;

/** Use case: turns an HTML page of a site into Markdown. */
export class ReadMarkdown {
  constructor(private readonly markdown: Pick<PageMarkdown, 'convert'>) {}

  /**
   * Reads the file, and closes it in every case.
   * @param withLinks as for `PageMarkdown`
   * @throws Refusal `unavailable` when too many pages wait; the reason of the signal
   */
  async execute(file: StoredFile, withLinks: boolean, waiter?: Waiter): Promise<MarkdownPage> {
    try {
      return await this.markdown.convert(() => startOf(file, MAX_BYTES), withLinks, waiter);
    } finally {
      await file.close();
    }
  }
}
