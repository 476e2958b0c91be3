import {
  closestPages,
  isPage,
  type PageAddress,
  type Redirects,
  SitePages,
  SitePath,
  waysAlong,
} from '../../domain/index.js';

/** A page or file that readers get. */
export interface FoundTarget {
  /** Path in the site; undefined for a list that Lectern makes. */
  readonly path?: string;
  /** Whether the redirects that lead there have a fragment. */
  readonly hasPlace?: boolean;
}

/** The pages and files of a site, by the addresses at which readers get them (contract section 7). */
export class SiteTargets {
  private readonly files: ReadonlySet<string>;
  private known: SitePages | undefined;
  private directories: Set<string> | undefined;

  constructor(
    files: Iterable<string>,
    private readonly redirects: Redirects,
  ) {
    this.files = new Set(files);
  }

  /** Returns what readers get at an address; undefined where nothing is. */
  find(asked: PageAddress): FoundTarget | undefined {
    const found = this.inAnySpelling(asked) ?? this.moved(asked) ?? this.inMixedComposition(asked);
    return found ?? this.made(asked);
  }

  /** Yields the paths of the pages that may be meant, best first, as far as they are known after each step. */
  closest(asked: PageAddress): Iterable<readonly string[]> {
    return closestPages(asked, this.pages, 1);
  }

  private inAnySpelling(asked: PageAddress): FoundTarget | undefined {
    const own = this.asWritten(asked);
    if (own !== undefined) return own;
    const [first, ...others] = asked.otherCompositions.flatMap((each) => this.asWritten(each) ?? []);
    return others.length === 0 ? first : undefined;
  }

  private asWritten({ files }: PageAddress): FoundTarget | undefined {
    for (const file of files) {
      const path = file.toString();
      if (this.files.has(path)) return { path };
    }
    return undefined;
  }

  private moved(asked: PageAddress): FoundTarget | undefined {
    const { redirects } = this;
    if (redirects.rules.length === 0) return undefined;
    const lookUps = [(at: PageAddress) => redirects.from(at), (at: PageAddress) => redirects.to(at)];
    for (const lookUp of lookUps) {
      for (const { target } of waysAlong(asked, lookUp)) {
        const found = this.inAnySpelling(target.page);
        if (found !== undefined) return { ...found, hasPlace: target.fragment !== '' };
      }
    }
    return undefined;
  }

  private inMixedComposition({ files }: PageAddress): FoundTarget | undefined {
    for (const file of files) {
      const [path, ...others] = this.pages.inAnyComposition(file.toString());
      if (path !== undefined) return others.length === 0 ? { path } : undefined;
    }
    return undefined;
  }

  /** Finds an address that Lectern makes of a site: the list of its files, the Markdown of a page, and `llms.txt` of a directory. */
  private made({ path, isDirectory }: PageAddress): FoundTarget | undefined {
    if (path === SitePath.root) return {};
    if (isDirectory) return undefined;
    const [, directory, name] = /^(?:((?:.+\/)?)llms\.txt|(.+)\.md)$/.exec(path.toString()) ?? [];
    if (directory !== undefined) return this.hasDirectory(directory.slice(0, -1)) ? {} : undefined;
    if (name === undefined) return undefined;
    const sources = isPage(name) ? [name] : [`${name}.html`, `${name}/index.html`];
    return sources.some((each) => this.files.has(each)) ? {} : undefined;
  }

  private hasDirectory(path: string): boolean {
    if (this.directories === undefined) {
      this.directories = new Set(['']);
      for (const file of this.files) {
        for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
          const directory = file.slice(0, end);
          if (this.directories.has(directory)) break;
          this.directories.add(directory);
        }
      }
    }
    return this.directories.has(path);
  }

  private get pages(): SitePages {
    if (this.known === undefined) {
      this.known = new SitePages();
      for (const file of this.files) this.known.add(file);
    }
    return this.known;
  }
}
