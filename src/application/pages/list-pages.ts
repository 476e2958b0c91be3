import { bytesOfText, isContentPage, isDrawn, SitePath, type Version } from '../../domain/index.js';
import { isListing, ownTitles, pageKind, titleIn } from '../../formats/html/index.js';
import { nextTurn } from '../concurrency.js';
import type { Sites, StoredFile } from '../ports/sites.js';
import { fileAt, startOf } from '../site-files.js';
import type { DrawnPages } from './drawn-pages.js';
import { MadeOfSites } from './made-of-sites.js';

/** Max. files of a version that are listed. */
const MAX_FILES = 50_000;
/** Max. bytes of the paths in memory: some twenty sites of 10,000 pages. */
const MAX_BYTES = 16_000_000;
/** Bytes at the start of a page in which its title is looked for. */
const MAX_BYTES_FOR_TITLE = 8_192;
/** Bytes of the front page whose links are followed. */
const MAX_FRONT_BYTES = 1_000_000;
const LINK = /\shref\s{0,4}=\s{0,4}["']?([^"'\s>#?]{1,500})/gi;

/** A page in a list. */
export interface ListedPage {
  /** Path of its file in the site, or of a page that a script draws. */
  readonly path: string;
  /** Title without the part that the titles of all these pages share; the path where a page has none. */
  readonly title: string;
}

/** Use case: lists the pages of a version with their titles. */
export class ListPages {
  private readonly paths = new MadeOfSites<readonly string[]>(MAX_BYTES, weightOf);

  constructor(
    private readonly docs: Pick<Sites, 'open' | 'listFiles'>,
    private readonly drawn: Pick<DrawnPages, 'markdownOf' | 'pathsOf' | 'shellsOf' | 'titlesOf'>,
  ) {}

  /**
   * Paths of the pages below a directory, first those that a script draws, of the whole site, then those that the front page there
   * links, as it links them, then by path.
   */
  async pathsBelow(version: Version, directory: string): Promise<readonly string[]> {
    return this.paths.get(version, directory, () => this.list(version, directory));
  }

  private async list(version: Version, directory: string): Promise<readonly string[]> {
    const { paths } = await this.docs.listFiles(version, MAX_FILES);
    const drawn = directory === '' ? await this.drawn.pathsOf(version) : [];
    const shells = directory === '' ? await this.drawn.shellsOf(version) : [];
    const isListed = (path: string) =>
      path.startsWith(directory) && isListedPage(path) && !shells.includes(path);
    const pages = new Set(paths.filter(isListed));
    const front = await fileAt(this.docs, version, `${directory}index.html`);
    const linked = front === undefined ? [] : await linksOf(front, directory);
    return [...new Set([...drawn, ...linked.filter((path) => pages.has(path)), ...pages])];
  }

  /** Markdown files of pages that a script draws, by the paths of the pages. */
  markdownOf(version: Version): Promise<ReadonlyMap<string, string>> {
    return this.drawn.markdownOf(version);
  }

  /** The pages at these paths, with their titles. */
  async titled(version: Version, paths: readonly string[]): Promise<readonly ListedPage[]> {
    const drawn = await this.drawn.titlesOf(version, paths.filter(isDrawn));
    const titles: string[] = [];
    for (const path of paths) {
      titles.push(isDrawn(path) ? (drawn.get(path) ?? '') : await this.titleIn(version, path));
      await nextTurn();
    }
    const own = ownTitles(titles);
    return paths.map((path, at) => ({ path, title: own[at] || path }));
  }

  private async titleIn(version: Version, path: string): Promise<string> {
    const file = await fileAt(this.docs, version, path);
    return file === undefined ? '' : titleIn(await startOf(file, MAX_BYTES_FOR_TITLE));
  }
}

/** Bytes in memory. Missing directories are not cached: any number of them can be asked for. */
function weightOf(paths: readonly string[]): number {
  if (paths.length === 0) return Number.POSITIVE_INFINITY;
  return paths.reduce((sum, path) => sum + 8 + bytesOfText(path), 0);
}

/** Whether a file is a page that explains something: no index that a builder made. */
function isListedPage(path: string): boolean {
  return isContentPage(path) && !isListing(pageKind(path, []));
}

/** Paths of the site that a page links, in its order. */
async function linksOf(page: StoredFile, directory: string): Promise<readonly string[]> {
  const html = new TextDecoder().decode(await startOf(page, MAX_FRONT_BYTES));
  return Array.from(html.matchAll(LINK), ([, href = '']) => {
    const path = SitePath.fromUrl(href.replace(/^\.\//, '').replace(/\/$/, ''));
    return path === undefined
      ? ''
      : directory + (href.endsWith('/') ? path.child('index.html') : path).toString();
  });
}
