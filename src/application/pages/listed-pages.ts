import { RecentlyUsed, SitePages, type Version } from '../../domain/index.js';
import { nextTurn } from '../next-turn.js';
import type { Sites } from '../ports/doc-store.js';

/** Max. files of a version that are listed. */
const MAX_FILES = 10_000;
/** Max. weight of all that is in memory: five sites of 10,000 pages, in some 30 MB. */
const MAX_WEIGHT = 8_000_000;
/** Files whose names are taken apart at a time. */
const FILES_AT_A_TIME = 250;

/**
 * The pages of versions by their names. They are listed once for each publication, and for all who wait; the least recently
 * used are forgotten first.
 */
export class ListedPages {
  private readonly kept = new RecentlyUsed<SitePages>(MAX_WEIGHT, ({ weight }) => weight);
  private readonly making = new Map<string, Promise<SitePages>>();

  constructor(private readonly docs: Sites) {}

  async of(version: Version): Promise<SitePages> {
    const { revision, origin } = version;
    const known = this.kept.get(revision);
    if (known !== undefined) return known;
    const making =
      this.making.get(revision) ?? this.make(version).finally(() => this.making.delete(revision));
    this.making.set(revision, making);
    const pages = await making;
    // Files of a copied-in directory may change at any time.
    return origin === 'copied' ? pages : this.kept.set(revision, pages);
  }

  private async make(version: Version): Promise<SitePages> {
    const { paths } = await this.docs.listFiles(version, MAX_FILES);
    const pages = new SitePages();
    for (const [index, path] of paths.entries()) {
      if (index % FILES_AT_A_TIME === 0) await nextTurn();
      pages.add(path);
    }
    return pages;
  }
}
