import { SitePath, type Version, withoutTrailingSlashes } from '../domain/index.js';
import type { DocStore } from './ports/doc-store.js';

/** The location of a page in one version. */
export interface Whereabouts {
  readonly version: Version;
  /** A rooted path, percent-encoded, without a query. It starts with an existing version or alias. */
  readonly to: string;
  /** Whether this is the requested page; otherwise it is the nearest one. */
  readonly isSame: boolean;
}

/**
 * Use case: finds a page in another version of its site: the same page, else the nearest parent directory with a
 * front page, else the front page of the site.
 */
export class GoToPage {
  constructor(private readonly docs: DocStore) {}

  /**
   * @param directoryName a version's, or the alias `<project>-latest`
   * @param page path of the page inside the site, percent-encoded, without a leading `/`
   * @returns undefined when there is no such version
   */
  async execute(
    directoryName: string,
    page: string,
    catalogue = this.docs.catalogue(),
  ): Promise<Whereabouts | undefined> {
    const version = catalogue.resolve(directoryName);
    if (version === undefined) return undefined;
    const found = (to: string, isSame: boolean) => ({ version, to: `/${directoryName}/${to}`, isSame });
    const path = SitePath.fromUrl(withoutTrailingSlashes(page));
    if (path === undefined || path === SitePath.root || path.isHidden) return found('', page === '');
    const same = await this.samePage(version, path, page.endsWith('/'));
    if (same !== undefined) return found(same, true);
    // `guide/index.html` is the page of `guide/`, so the search starts at the parent of `guide/`.
    const above = path.components.at(-1) === 'index.html' ? 2 : 1;
    for (let length = path.components.length - above; length > 0; length--) {
      const directory = SitePath.of(path.components.slice(0, length).join('/'));
      if (directory !== undefined && (await this.isFile(version, directory.child('index.html')))) {
        return found(`${directory.toUrl()}/`, false);
      }
    }
    return found('', false);
  }

  /** Returns the page's address in this version, in any of the forms of site builders: `a.html`, `a`, or `a/`. */
  private async samePage(
    version: Version,
    path: SitePath,
    asDirectory: boolean,
  ): Promise<string | undefined> {
    const entry = asDirectory ? undefined : await this.docs.open(version, path);
    if (entry?.kind === 'file') {
      await entry.file.close();
      return path.toUrl();
    }
    const stem = stemOf(path);
    if (await this.isFile(version, stem.child('index.html'))) return `${stem.toUrl()}/`;
    const page = stem.withSuffix('.html');
    return page !== undefined && (await this.isFile(version, page)) ? page.toUrl() : undefined;
  }

  private async isFile(version: Version, path: SitePath): Promise<boolean> {
    const entry = await this.docs.open(version, path);
    if (entry?.kind !== 'file') return false;
    await entry.file.close();
    return true;
  }
}

/** Returns the page's name without its form: `guide` for `guide`, `guide.html` and `guide/index.html`. */
function stemOf(path: SitePath): SitePath {
  const { components } = path;
  const isIndex = components.length > 1 && components.at(-1) === 'index.html';
  return isIndex ? (SitePath.of(components.slice(0, -1).join('/')) ?? path) : path.withoutSuffix('.html');
}
