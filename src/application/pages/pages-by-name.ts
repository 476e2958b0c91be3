import { SitePages, type Version } from '../../domain/index.js';
import { nextTurn } from '../next-turn.js';
import type { Sites } from '../ports/doc-store.js';
import { MadeOfSites } from './made-of-sites.js';

/** Max. files of a version that are listed. */
const MAX_FILES = 10_000;
/** Max. weight of all that is in memory: five sites of 10,000 pages, in some 30 MB. */
const MAX_WEIGHT = 8_000_000;
/** Files whose names are taken apart at a time. */
const FILES_AT_A_TIME = 250;

/** The pages and files of versions, to be found by their names or by parts of them. */
export class PagesByName {
  private readonly pages = new MadeOfSites<SitePages>(MAX_WEIGHT, ({ weight }) => weight);

  constructor(private readonly docs: Pick<Sites, 'listFiles'>) {}

  async of(version: Version): Promise<SitePages> {
    return this.pages.get(version, '', () => this.make(version));
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
