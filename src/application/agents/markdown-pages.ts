import { isDrawn, LruCache, type Version } from '../../domain/index.js';
import type { MarkdownPage } from '../../formats/html/index.js';
import type { DrawnPages } from '../pages/drawn-pages.js';
import type { ReadMarkdown } from '../pages/read-markdown.js';
import type { Sites } from '../ports/doc-store.js';
import type { PageMarkdown } from '../ports/page-markdown.js';
import type { Waiter } from '../ports/waiter.js';
import { fileAt } from '../site-files.js';

/** Max. bytes of pages in memory. */
const MAX_BYTES = 16_000_000;

/** LRU cache of pages of versions in Markdown, without links. */
export class MarkdownPages {
  private readonly kept = new LruCache<MarkdownPage>(MAX_BYTES, ({ bytes }) => bytes);

  constructor(
    private readonly docs: Pick<Sites, 'open'>,
    private readonly readMarkdown: Pick<ReadMarkdown, 'execute'>,
    private readonly markdown: Pick<PageMarkdown, 'convert'>,
    private readonly drawn: Pick<DrawnPages, 'at'>,
  ) {}

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
