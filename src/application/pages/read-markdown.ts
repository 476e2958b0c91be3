import { isDrawn, LruCache, type Version } from '../../domain/index.js';
import type { MarkdownPage } from '../../formats/html/index.js';
import { BYTES_TO_READ } from '../../formats/html/reading-limits.js';
import type { PageMarkdown } from '../ports/page-markdown.js';
import type { Sites, StoredFile } from '../ports/sites.js';
import type { Waiter } from '../ports/waiter.js';
import { fileAt, startOf } from '../site-files.js';
import type { DrawnPages } from './drawn-pages.js';

/** Max. bytes of pages in Markdown in memory. */
const MAX_KEPT_BYTES = 16_000_000;

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
      return await this.markdown.convert(() => startOf(file, BYTES_TO_READ), withLinks, waiter);
    } finally {
      await file.close();
    }
  }
}

/** LRU cache of pages of versions in Markdown, without links. */
export class MarkdownPages {
  private readonly kept = new LruCache<MarkdownPage>(MAX_KEPT_BYTES, ({ bytes }) => bytes);

  private readonly readMarkdown: ReadMarkdown;

  constructor(
    private readonly docs: Pick<Sites, 'open'>,
    private readonly markdown: Pick<PageMarkdown, 'convert'>,
    private readonly drawn: Pick<DrawnPages, 'at'>,
  ) {
    this.readMarkdown = new ReadMarkdown(markdown);
  }

  /**
   * Returns a page by its path; undefined where there is none.
   * @throws as `ReadMarkdown.execute`
   */
  async of(version: Version, path: string, waiter: Waiter): Promise<MarkdownPage | undefined> {
    if (isDrawn(path)) return this.drawnAt(version, path, waiter);
    const file = await fileAt(this.docs, version, path);
    if (file === undefined) return undefined;
    const key = `${version.revision} ${file.etag} ${path}`;
    const known = this.kept.get(key);
    if (known !== undefined) {
      await file.close();
      return known;
    }
    return this.kept.set(key, await this.readMarkdown.execute(file, false, waiter));
  }

  private async drawnAt(version: Version, path: string, waiter: Waiter): Promise<MarkdownPage | undefined> {
    const key = `${version.revision} ${path}`;
    // Files of a copied-in directory may change at any time.
    const known = version.origin === 'upload' ? this.kept.get(key) : undefined;
    if (known !== undefined) return known;
    const page = await this.drawn.at(version, path, waiter);
    if (page === undefined) return undefined;
    const html = async () => new TextEncoder().encode(page.html);
    return this.kept.set(key, await this.markdown.convert(html, false, waiter));
  }
}
