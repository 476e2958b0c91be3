import { type Catalogue, SitePath, type Version, withoutTrailingSlashes } from '../domain/index.js';
import type { DocStore } from './ports/doc-store.js';

/** Where a page is in one version. */
export interface Whereabouts {
  readonly version: Version;
  /** A rooted path, percent-encoded, without a query. It starts with the name of something that exists. */
  readonly to: string;
  /** Whether this is the page that was asked for; otherwise it is the nearest that there is. */
  readonly isSame: boolean;
}

/**
 * Finds a page again in another version of its site: the same page, else the nearest directory above it that has a
 * front page, else the front page of the site. Never nothing, as long as the version exists.
 */
export class GoToPage {
  constructor(private readonly docs: DocStore) {}

  /**
   * @param directoryName of a version, or the alias `<project>-latest`
   * @param page the rest of the page's path as it stands in a URL: percent-encoded, without a `/` in front
   * @returns undefined when there is no such version
   */
  async execute(directoryName: string, page: string): Promise<Whereabouts | undefined> {
    return this.in(this.docs.catalogue(), directoryName, page);
  }

  /** The same in a catalogue that the caller looks at already. */
  async in(catalogue: Catalogue, directoryName: string, page: string): Promise<Whereabouts | undefined> {
    const version = catalogue.resolve(directoryName);
    if (version === undefined) return undefined;
    const found = (to: string, isSame: boolean) => ({ version, to: `/${directoryName}/${to}`, isSame });
    const path = SitePath.fromUrl(withoutTrailingSlashes(page));
    if (path === undefined || path === SitePath.root || path.isHidden) return found('', page === '');
    const same = await this.samePage(version, path, page.endsWith('/'));
    if (same !== undefined) return found(same, true);
    // `guide/index.html` is the page of `guide/`, so the search for a parent begins above that.
    const above = path.components.at(-1) === 'index.html' ? 2 : 1;
    for (let length = path.components.length - above; length > 0; length--) {
      const directory = SitePath.of(path.components.slice(0, length).join('/'));
      if (directory !== undefined && (await this.isFile(version, directory.child('index.html')))) {
        return found(`${directory.toUrl()}/`, false);
      }
    }
    return found('', false);
  }

  /** The address of the page in this version, however its builder writes addresses: `a.html`, `a`, or `a/`. */
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

/** `guide` for `guide`, `guide.html` and `guide/index.html`: what a page is called, whatever its builder. */
function stemOf(path: SitePath): SitePath {
  const { components } = path;
  const isIndex = components.length > 1 && components.at(-1) === 'index.html';
  return isIndex ? (SitePath.of(components.slice(0, -1).join('/')) ?? path) : path.withoutSuffix('.html');
}
