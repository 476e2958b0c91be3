import { addressOfPage, bytesOfText, decodedComponent, isDrawn, type Version } from '../../domain/index.js';
import type { DrawnPage } from '../../formats/drawn/drawn-page.js';
import { type DrawnSite, drawnSiteOf, shellsOf, withScript } from '../../formats/drawn/drawn-site.js';
import { BYTES_TO_READ } from '../../formats/html/reading-limits.js';
import { nextTurn } from '../concurrency.js';
import type { PageMarkdown } from '../ports/page-markdown.js';
import type { Sites } from '../ports/sites.js';
import type { Waiter } from '../ports/waiter.js';
import { bytesOf, fileAt, startOf } from '../site-files.js';
import { MadeOfSites } from './made-of-sites.js';

/** Bytes of the front page, and of its script, that are looked at. */
const MAX_FRONT_BYTES = 300_000;

/** Max. files of a version among which those are looked for that pages are drawn from. */
const MAX_FILES = 50_000;
/** Max. bytes of the pages in memory, and of the paths. */
const MAX_KEPT_BYTES = 16_000_000;
const MAX_PATH_BYTES = 4_000_000;
const UTF16 = 2;
/** Bytes at the start of a Markdown file in which its title is looked for. */
const MAX_BYTES_FOR_TITLE = 8_192;

/** A drawn site, as far as it is known without its pages. */
interface Known extends FoundDrawnSite {
  /** File of each page; of docsify. */
  readonly fileOf: ReadonlyMap<string, string>;
}

/** A place in a drawn page. */
export interface DrawnPlace {
  readonly path: string;
  readonly anchor?: string | undefined;
}

/** Use case: reads the pages of sites that a script draws in the browser, from the files that say what is in them. */
export class DrawnPages {
  private readonly sites = new MadeOfSites<Known | undefined>(MAX_PATH_BYTES, weightOfSite);
  private readonly pages = new MadeOfSites<readonly DrawnPage[]>(MAX_KEPT_BYTES, weightOfPages);

  constructor(
    private readonly docs: Pick<Sites, 'open' | 'listFiles'>,
    private readonly markdown: Pick<PageMarkdown, 'drawnPages'>,
  ) {}

  /** Paths of the drawn pages of a version. None of a site that no script draws, or of which nothing can be read. */
  async pathsOf(version: Version): Promise<readonly string[]> {
    const known = await this.knownOf(version);
    if (known === undefined) return [];
    if (known.site.kind === 'docsify') return [...known.fileOf.keys()];
    return (await this.allOf(version, known)).map(({ path }) => path);
  }

  /** Files whose pages are replaced by the drawn ones: none without drawn pages. */
  async shellsOf(version: Version): Promise<readonly string[]> {
    const known = await this.knownOf(version);
    if (known === undefined || (await this.pathsOf(version)).length === 0) return [];
    return shellsOf(known.site);
  }

  /** Titles of drawn pages by path. A page without one is left out. */
  async titlesOf(version: Version, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const known = paths.length === 0 ? undefined : await this.knownOf(version);
    if (known === undefined) return new Map();
    if (known.site.kind !== 'docsify') {
      return new Map((await this.allOf(version, known)).map(({ path, title }) => [path, title]));
    }
    const { docsifyTitle } = await import('../../formats/drawn/builders.js');
    const titles = new Map<string, string>();
    for (const path of paths) {
      const file = await fileAt(this.docs, version, known.fileOf.get(path) ?? '');
      if (file === undefined) continue;
      const start = await startOf(file, MAX_BYTES_FOR_TITLE);
      titles.set(path, docsifyTitle(new TextDecoder().decode(start)));
      await nextTurn();
    }
    return titles;
  }

  /** Markdown files that are drawn, by the paths of their pages. */
  async markdownOf(version: Version): Promise<ReadonlyMap<string, string>> {
    return (await this.knownOf(version))?.fileOf ?? new Map();
  }

  /** The drawn page at a path; undefined where there is none. @throws as `PageMarkdown.drawnPages` */
  async at(version: Version, path: string, waiter: Waiter = {}): Promise<DrawnPage | undefined> {
    const known = isDrawn(path) ? await this.knownOf(version) : undefined;
    if (known === undefined) return undefined;
    if (known.site.kind !== 'docsify')
      return (await this.allOf(version, known)).find((page) => page.path === path);
    const file = known.fileOf.get(path);
    return file === undefined ? undefined : (await this.drawnFrom(version, known.site, file, waiter))[0];
  }

  /**
   * Finds a drawn page by its address.
   * @param address below the front page, as a browser shows it: `#/guide?id=start`, `?path=/story/button--primary&args=`
   */
  async find(version: Version, address: string): Promise<DrawnPlace | undefined> {
    const paths = await this.pathsOf(version);
    if (paths.length === 0) return undefined;
    const byName = new Map(paths.map((path) => [decodedComponent(addressOfPage(path)), path]));
    const [page = '', id] = address.startsWith('#')
      ? address.split('?id=', 2)
      : [address.replace(/&.*$/s, '')];
    const names = page === '' ? ['', '#/'] : [page, `${page}/`];
    const path = names.map((name) => byName.get(decodedComponent(name))).find((each) => each !== undefined);
    if (path !== undefined)
      return { path, anchor: id === undefined ? undefined : decodedComponent(id.replace(/&.*$/s, '')) };
    const [, story] = /^\?path=\/[a-z]+\/(.+)$/.exec(page) ?? [];
    return story === undefined ? undefined : this.storyAt(version, decodedComponent(story));
  }

  /** The page that has a story as a section. */
  private async storyAt(version: Version, anchor: string): Promise<DrawnPlace | undefined> {
    const known = await this.knownOf(version);
    if (known?.site.kind !== 'storybook') return undefined;
    const { escaped } = await import('../../formats/drawn/drawn-page.js');
    const id = ` id="${escaped(anchor)}"`;
    const page = (await this.allOf(version, known)).find(({ html }) => html.includes(id));
    return page && { path: page.path, anchor };
  }

  private knownOf(version: Version): Promise<Known | undefined> {
    return this.sites.get(version, '', async () => {
      const pathsOf = async () => (await this.docs.listFiles(version, MAX_FILES)).paths;
      const found = await drawnSiteIn(this.docs, version, pathsOf);
      if (found?.site.kind !== 'docsify') return found && { ...found, fileOf: new Map() };
      const { site, files } = found;
      const { docsifyPath } = await import('../../formats/drawn/builders.js');
      return { ...found, fileOf: new Map(files.toReversed().map((file) => [docsifyPath(site, file), file])) };
    });
  }

  /** All pages of a site that is drawn from one file. */
  private allOf(version: Version, { site, files }: Known): Promise<readonly DrawnPage[]> {
    const [file] = files;
    return this.pages.get(version, '', async () =>
      file === undefined ? [] : this.drawnFrom(version, site, file, {}),
    );
  }

  private async drawnFrom(
    version: Version,
    site: DrawnSite,
    path: string,
    waiter: Waiter,
  ): Promise<readonly DrawnPage[]> {
    const file = await fileAt(this.docs, version, path);
    if (file === undefined) return [];
    const read = () => bytesOf(file.stream(), BYTES_TO_READ);
    try {
      return await this.markdown.drawnPages(site, path, read, waiter);
    } finally {
      await file.close();
    }
  }
}

function weightOfSite(known: Known | undefined): number {
  if (known === undefined) return 1;
  return known.files.reduce((sum, path) => sum + 8 + 2 * bytesOfText(path), 1_000);
}

function weightOfPages(pages: readonly DrawnPage[]): number {
  return pages.reduce(
    (sum, { path, title, html }) => sum + UTF16 * (path.length + title.length + html.length),
    1_000,
  );
}

/** A site that a script draws, with the files that it is drawn from. */
interface FoundDrawnSite {
  readonly site: DrawnSite;
  readonly files: readonly string[];
}

/**
 * Tells whether a script draws a site from files that can be read, by its front page; undefined if not.
 * @param pathsOf lists all files: called where the front page looks like that of such a site
 */
export async function drawnSiteIn(
  docs: Pick<Sites, 'open'>,
  version: Version,
  pathsOf: () => Promise<readonly string[]>,
): Promise<FoundDrawnSite | undefined> {
  const textOf = async (path: string) => {
    const file = await fileAt(docs, version, path);
    return file && new TextDecoder().decode(await bytesOf(file.stream(), MAX_FRONT_BYTES));
  };
  const html = await textOf('index.html');
  if (html === undefined || drawnSiteOf(html, () => true) === undefined) return undefined;
  const paths = await pathsOf();
  const files = new Set(paths);
  const hasFile = (path: string) => files.has(path);
  let site = drawnSiteOf(html, hasFile);
  if (site === undefined) return undefined;
  if (site.kind === 'openapi' && site.script !== undefined)
    site = withScript(site, (await textOf(site.script)) ?? '', hasFile);
  const { drawnFiles } = await import('../../formats/drawn/read-drawn.js');
  return { site, files: drawnFiles(site, paths) };
}
