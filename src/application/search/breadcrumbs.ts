/** Max. titles of a breadcrumb. The ones nearest to the page are kept. */
const MAX_TITLES = 5;
const INDEX_PAGE = /^index\.x?html?$/i;

/**
 * Breadcrumbs of the pages of a site: titles of the index pages above each, `a/index.html` above `a/b.html`; never that of the
 * front page. They are complete only after all pages are added, so a page stores a number.
 */
export class Breadcrumbs {
  /** Number of the breadcrumb by the folder of its pages. */
  private readonly numbers = new Map<string, number>();
  /** Titles of the index pages of folders. */
  private readonly titles = new Map<string, string>();

  /** Returns the number of a page's breadcrumb, from 1 on; 0 for pages at the top of the site, which have none. */
  add(path: string, title: string): number {
    const parts = path.split('/');
    const folder = parts.slice(0, -1).join('/');
    const isIndex = INDEX_PAGE.test(parts.at(-1) ?? '');
    if (isIndex && title !== '' && !this.titles.has(folder)) this.titles.set(folder, title);
    return this.numberOf(isIndex ? parts.slice(0, -2).join('/') : folder);
  }

  /** Breadcrumbs with titles, the topmost title first. */
  *entries(): Generator<readonly [number: number, titles: readonly string[]]> {
    for (const [folder, number] of this.numbers) {
      const titles = this.titlesOf(folder);
      if (titles.length > 0) yield [number, titles];
    }
  }

  private numberOf(folder: string): number {
    if (folder === '') return 0;
    const known = this.numbers.get(folder);
    if (known !== undefined) return known;
    this.numbers.set(folder, this.numbers.size + 1);
    return this.numbers.size;
  }

  private titlesOf(folder: string): string[] {
    const titles: string[] = [];
    let above = folder;
    while (above !== '' && titles.length < MAX_TITLES) {
      const title = this.titles.get(above);
      if (title !== undefined) titles.unshift(title);
      above = above.slice(0, Math.max(0, above.lastIndexOf('/')));
    }
    return titles;
  }
}
