import { encodedComponent, SitePath } from '../site-path.js';

const DRAWN = './';
/** Stories have addresses of their own in Storybook. Headings of other drawn pages have them as docsify gives them. */
const STORYBOOK = '?path=/';

/** The address of a page inside a site, as somebody asks for it or as a rule names it. */
export class PageAddress {
  private constructor(
    readonly path: SitePath,
    /** Whether the address ends with `/`. */
    readonly isDirectory: boolean,
  ) {}

  /**
   * Reads the part of a URL after the site's name.
   * @returns undefined for invalid and hidden paths
   */
  static fromUrl(encoded: string): PageAddress | undefined {
    return PageAddress.checked(encoded, SitePath.fromUrl);
  }

  /** Reads a decoded path; undefined when it is invalid or hidden. */
  static of(decoded: string): PageAddress | undefined {
    return PageAddress.checked(decoded, SitePath.of);
  }

  private static checked(
    text: string,
    read: (path: string) => SitePath | undefined,
  ): PageAddress | undefined {
    const isDirectory = text === '' || text.endsWith('/');
    // A second slash is an empty component, not the root.
    const path = read(isDirectory && text !== '/' ? text.slice(0, -1) : text);
    return path === undefined || path.isHidden ? undefined : new PageAddress(path, isDirectory);
  }

  /** The page's name in any spelling of site builders: `guide` for `guide`, `guide/`, `guide.html`, `guide/index.html`. */
  get stem(): SitePath {
    const { components } = this.path;
    if (components.at(-1) !== 'index.html') return this.path.withoutSuffix('.html');
    return SitePath.of(components.slice(0, -1).join('/')) ?? this.path;
  }

  /** Paths of the files that may be meant, in the spellings of site builders, best first. */
  get files(): readonly SitePath[] {
    const { path, stem, isDirectory } = this;
    const files = [isDirectory ? undefined : path, stem.child('index.html'), stem.withSuffix('.html')];
    return files.filter((file) => file !== undefined);
  }

  /** The address without the `/` at its end; undefined where there is none, and for the root. */
  get withoutSlash(): PageAddress | undefined {
    return this.slash === '' ? undefined : new PageAddress(this.path, false);
  }

  /**
   * The same address composed (NFC) and decomposed (NFD), as far as these are other texts: an editor writes `ü` as one
   * character, a file system may store two (Unicode Standard Annex 15).
   */
  get otherCompositions(): readonly PageAddress[] {
    const text = this.toString();
    if (isAscii(text)) return [];
    const others = new Set([text.normalize('NFC'), text.normalize('NFD')]);
    others.delete(text);
    return [...others].map((each) => PageAddress.of(each)).filter((each) => each !== undefined);
  }

  /** Percent-encoded, without a leading `/`. */
  toUrl(): string {
    return this.path.toUrl() + this.slash;
  }

  /** Decoded, without a leading `/`. */
  toString(): string {
    return this.path.toString() + this.slash;
  }

  private get slash(): string {
    return this.isDirectory && this.path !== SitePath.root ? '/' : '';
  }
}

/** Returns whether a text is the same in each Unicode composition. */
export function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/**
 * Returns the address of a page inside its site, percent-encoded: a front page is its directory.
 * @param path of its file, or of a page that a script draws
 */
export function addressOfPage(path: string): string {
  if (isDrawn(path)) return path.slice(DRAWN.length);
  return (SitePath.of(path) ?? SitePath.root).toUrl().replace(/(^|\/)index\.html$/, '$1');
}

/** Returns the address of a section inside its site, as for `addressOfPage`. @param anchor of the section, not percent-encoded */
export function addressOfSection(path: string, anchor: string | undefined): string {
  const page = addressOfPage(path);
  if (anchor === undefined) return page;
  const id = encodedComponent(anchor);
  if (!isDrawn(path)) return `${page}#${id}`;
  return page.startsWith(STORYBOOK) ? `${STORYBOOK}story/${id}` : `${page}?id=${id}`;
}

/**
 * Whether a path is that of a page that a script draws: `./` and the percent-encoded address of the page below the front page of
 * its site, `./#/guide` or `./?path=/docs/button--docs`. No file has such a path.
 */
export function isDrawn(path: string): boolean {
  return path.startsWith(DRAWN);
}

/**
 * Returns a line for `_redirects` that leads one address to a page; undefined where `_redirects` would read the address as a
 * pattern.
 * @param from percent-encoded, without a leading `/`
 * @param page path of the file
 */
export function redirectLine(from: string, page: string): string | undefined {
  return /[*:]|%3A/i.test(from) ? undefined : `/${from} /${addressOfPage(page)} 301`;
}
