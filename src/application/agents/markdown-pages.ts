import { RecentlyUsed, type Version } from '../../domain/index.js';
import type { MarkdownPage } from '../../formats/html/index.js';
import { fileAt } from '../pages/file-at.js';
import type { ReadMarkdown } from '../pages/read-markdown.js';
import type { Sites } from '../ports/doc-store.js';

/** Max. characters of pages in memory. */
const MAX_CHARACTERS = 8_000_000;

/** Pages of versions in Markdown, without links. Those used last are kept. */
export class MarkdownPages {
  private readonly kept = new RecentlyUsed<MarkdownPage>(MAX_CHARACTERS, ({ blocks }) =>
    blocks.reduce((sum, { text }) => sum + text.length, 1),
  );

  constructor(
    private readonly docs: Pick<Sites, 'open'>,
    private readonly readMarkdown: ReadMarkdown,
  ) {}

  /**
   * Returns a page by its path; undefined where there is none.
   * @throws Refusal `unavailable` when too many pages are converted or wait
   */
  async of(version: Version, path: string): Promise<MarkdownPage | undefined> {
    const file = await fileAt(this.docs, version, path);
    if (file === undefined) return undefined;
    const key = `${version.revision} ${file.etag} ${path}`;
    const known = this.kept.get(key);
    if (known !== undefined) {
      await file.close();
      return known;
    }
    return this.kept.set(key, await this.readMarkdown.execute(file, false));
  }
}
