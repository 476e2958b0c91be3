import {
  type Located,
  PageAddress,
  SitePath,
  type Version,
  type VisibleCatalogue,
} from '../../domain/index.js';
import type { Sites } from '../ports/sites.js';
import { FindPage } from './find-page.js';

/** The location of a page in one version. */
export interface Whereabouts {
  readonly version: Version;
  /** A rooted path, percent-encoded, without a query. It starts with an existing version or alias. */
  readonly to: string;
  /** With its `#`, where a redirect leads to a part of a page. */
  readonly fragment?: string;
  /** Whether this is the requested page; otherwise it is the nearest one. */
  readonly isSame: boolean;
}

/**
 * Use case: finds a page in another version of its site: the same page under any name that redirects know, else the
 * nearest parent directory with a front page, else the front page of the site.
 */
export class GoToPage {
  constructor(
    docs: Sites,
    private readonly pages = new FindPage(docs),
  ) {}

  /**
   * @param directoryName a version's or a preview's, or the alias `<project>-latest`
   * @param page path of the page inside the site, percent-encoded, without a leading `/`
   * @returns undefined when there is no such version
   */
  async execute(
    seen: VisibleCatalogue,
    directoryName: string,
    page: string,
  ): Promise<Whereabouts | undefined> {
    const site = seen.locate(directoryName);
    if (site === undefined) return undefined;
    const nearest = (to: string) => ({ version: site.version, to: `/${directoryName}/${to}`, isSame: false });
    const asked = PageAddress.fromUrl(page);
    if (asked === undefined || asked.path === SitePath.root) return { ...nearest(''), isSame: page === '' };
    const same =
      (await this.samePage(site, directoryName, page)) ?? (await this.mixed(site, directoryName, asked));
    if (same !== undefined) return same;
    // `guide/index.html` is the page of `guide/`, so the search starts at the parent of `guide/`.
    const { components } = asked.path;
    const above = components.at(-1) === 'index.html' ? 2 : 1;
    for (let length = components.length - above; length > 0; length--) {
      const directory = SitePath.of(components.slice(0, length).join('/'));
      if (directory !== undefined && (await this.pages.isFile(site.version, directory.child('index.html')))) {
        return nearest(`${directory.toUrl()}/`);
      }
    }
    return nearest('');
  }

  /**
   * Like `execute`, for the same page only.
   * @param site what `directoryName` names
   */
  async samePage(site: Located, directoryName: string, page: string): Promise<Whereabouts | undefined> {
    const asked = PageAddress.fromUrl(page);
    if (asked === undefined || asked.path === SitePath.root) return undefined;
    const same = (address: string, fragment?: string) => sameAt(site, directoryName, address, fragment);
    const present = await this.pages.inAnySpelling(site.version, asked);
    if (present !== undefined) return same(present.address);
    const moved = await this.pages.moved(site, asked);
    if (moved !== undefined) {
      return moved.status === 200 ? same(asked.toUrl()) : same(moved.address, moved.fragment);
    }
    // `big.pdf/`: no address of a file that is no page, but it is clear what is meant.
    const { withoutSlash } = asked;
    const file = withoutSlash && (await this.pages.inAnySpelling(site.version, withoutSlash));
    return file && same(file.address);
  }

  /** Finds a file of which only some parts of the name are decomposed. */
  private async mixed(
    site: Located,
    directoryName: string,
    asked: PageAddress,
  ): Promise<Whereabouts | undefined> {
    for (const each of [asked, asked.withoutSlash]) {
      const found = each && (await this.pages.inMixedComposition(site.version, each));
      if (found !== undefined) return sameAt(site, directoryName, found.address);
    }
    return undefined;
  }
}

function sameAt({ version }: Located, directoryName: string, address: string, fragment = ''): Whereabouts {
  const to = `/${directoryName}/${address}`;
  return { version, to, isSame: true, ...(fragment === '' ? {} : { fragment }) };
}
