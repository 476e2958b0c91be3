import {
  directoryNameOfArchive,
  isContentPage,
  isPage,
  isPreview,
  type Located,
  MISSING_PAGE,
  PageAddress,
  type Project,
  parseDirectoryName,
  type RedirectStatus,
  SitePath,
  type Version,
  type VisibleCatalogue,
} from '../../domain/index.js';
import type { FileList, Sites, StoredFile } from '../ports/sites.js';
import { FindPage } from './find-page.js';
import { type HostOfSites, MAIN_HOST, partsOf, SiteAddresses, type SiteRoot } from './site-addresses.js';

/** The missing part of an address: project, version, preview or page, with the parts that exist. */
export type Missing =
  | { readonly what: 'project' }
  | { readonly what: 'version'; readonly project: Project }
  | { readonly what: 'preview'; readonly project: Project }
  | ({ readonly what: 'page' } & Located);

/** An open file of a site, with its version, project and path. The caller reads or closes it. */
export interface FoundFile extends Located {
  readonly path: SitePath;
  readonly file: StoredFile;
}

/** The result of looking up the path of a URL. */
export type PageAnswer =
  | ({ readonly kind: 'page' } & FoundFile)
  /** The HTML page whose Markdown is asked for: `guide.html.md`, `guide.md`, or `guide/index.md`. */
  | ({ readonly kind: 'markdown' } & FoundFile)
  /**
   * `to` is a rooted path, percent-encoded, without a query. It starts with the name of an existing version or project
   * (only letters, digits, `.`, `_`, `+`, `-`, `~`), so it can never lead to another host.
   */
  | {
      readonly kind: 'redirect';
      readonly to: string;
      readonly status: Exclude<RedirectStatus, 200>;
      /** With its `#`; empty without one. */
      readonly fragment: string;
      /** The version inside which the redirect leads; undefined where only its name is asked for. */
      readonly site?: Located | undefined;
    }
  /**
   * The same place in the site, where its pages work; of the short address of a project, in its latest version. `to` is as for
   * `redirect`.
   */
  | ({ readonly kind: 'other-root'; readonly to: SiteRoot } & Located)
  /** `llms.txt` of a site, or of a directory in it, which ends with `/`: the caller lists its pages. */
  | ({ readonly kind: 'pages'; readonly directory: string } & Located)
  /** The root of a site without `index.html`: the caller lists its files. */
  | ({ readonly kind: 'listing' } & Located)
  | ({ readonly kind: 'archive' } & Located)
  | {
      readonly kind: 'missing';
      readonly missing: Missing;
      /** The missing page inside its version; undefined for an address that no page can have. */
      readonly asked?: PageAddress | undefined;
      /** The site's own `404.html` where it finds its styles, and the path of the site's root: `/<version or alias>/`. */
      readonly page?: (FoundFile & { readonly root: string }) | undefined;
    };

const NOT_FOUND = SitePath.root.child(MISSING_PAGE);
/** Max. files in the listing of a site without a front page. */
const MAX_LISTED = 5_000;
/** Max. files of a version that are looked through for its pages. */
const MAX_LOOKED_AT = 50_000;
/** Max. UTF-16 code units of all paths in a listing together. */
const MAX_LISTED_TEXT = 500_000;

/** Use case: finds the page for a URL path (contract section 7): sites, `-latest` aliases, archives by name. */
export class ReadPage {
  constructor(
    private readonly docs: Pick<Sites, 'open' | 'listFiles'>,
    private readonly pages = new FindPage(docs),
    private readonly addresses = new SiteAddresses(docs),
  ) {}

  /**
   * @param urlPath path of the URL as sent: percent-encoded, starting with `/`, without a query. On a host of a project, the
   *   name that the host belongs to comes first.
   */
  async execute(seen: VisibleCatalogue, urlPath: string, host: HostOfSites = MAIN_HOST): Promise<PageAnswer> {
    const { name, slash, rest: path } = partsOf(urlPath);
    const site = seen.locate(name);
    if (site === undefined) return this.withoutVersion(seen, urlPath, host);
    const { root, rest, moved } = await this.addresses.placeOf(seen, site, name, path, host);
    const asked = PageAddress.fromUrl(rest);
    if (moved !== undefined && asked !== undefined) {
      return { kind: 'other-root', to: { ...moved, path: moved.path + asked.toUrl() }, ...site };
    }
    // A site with a host of its own has no page here, not even its `404.html`: its scripts would run on the main host.
    if (moved?.onHost === true && !host.isOnHost)
      return { kind: 'missing', missing: { what: 'page', ...site } };
    if (!slash) return redirectTo(`/${name}/`, 308);
    const found = asked && (await this.inSite(site, root, asked));
    if (found !== undefined && found.kind !== 'listing') return found;
    const elsewhere = asked && (await this.elsewhere(site, root, asked));
    if (elsewhere !== undefined) return elsewhere;
    if (found !== undefined) return found;
    const source = asked && (await this.sourceOf(site, asked));
    if (source !== undefined) return { kind: 'markdown', ...source };
    const listed = asked && (await this.listedDirectory(site, asked));
    if (listed !== undefined) return { kind: 'pages', ...site, directory: listed };
    const isShown = await this.addresses.showsMissingPage(seen, site, host);
    const page = isShown ? await this.file(site, NOT_FOUND) : undefined;
    return {
      kind: 'missing',
      missing: { what: 'page', ...site },
      asked,
      page: page && { ...page, root: `/${root}/` },
    };
  }

  /** Returns the first files of a site by path, with their sizes, within `MAX_LISTED` and `MAX_LISTED_TEXT`. */
  async filesOf(version: Version): Promise<FileList> {
    const list = await this.docs.listFiles(version, MAX_LISTED, true);
    const { paths } = list;
    let text = 0;
    const tooMuch = paths.findIndex((path) => {
      text += path.length;
      return text > MAX_LISTED_TEXT;
    });
    return tooMuch === -1 ? list : { ...list, paths: paths.slice(0, tooMuch), more: true };
  }

  /** Returns the pages among the first `MAX_LOOKED_AT` files of a site, by path, without its `404.html`. */
  async pagesOf(version: Version): Promise<readonly string[]> {
    const { paths } = await this.docs.listFiles(version, MAX_LOOKED_AT);
    return paths.filter(isContentPage);
  }

  private async inSite(
    site: Located,
    name: string,
    { path, isDirectory }: PageAddress,
  ): Promise<PageAnswer | undefined> {
    if (isDirectory) {
      const page = await this.page(site, path.child('index.html'));
      if (page !== undefined) return page;
      return path === SitePath.root ? { kind: 'listing', ...site } : undefined;
    }
    const entry = await this.docs.open(site.version, path);
    if (entry?.kind === 'file') return { kind: 'page', ...site, path, file: entry.file };
    const withSlash =
      entry?.kind === 'directory' ? redirectTo(`/${name}/${path.toUrl()}/`, 308, site) : undefined;
    if (withSlash !== undefined && (await this.pages.isFile(site.version, path.child('index.html')))) {
      return withSlash;
    }
    const withHtml = path.withSuffix('.html');
    return (withHtml && (await this.page(site, withHtml))) ?? withSlash;
  }

  /** Finds a page that isn't at the requested address: in another spelling, or where redirects lead. */
  private async elsewhere(site: Located, name: string, asked: PageAddress): Promise<PageAnswer | undefined> {
    const present = await this.pages.inAnySpelling(site.version, asked);
    if (present !== undefined) return redirectTo(`/${name}/${present.address}`, 302, site);
    const moved = await this.pages.moved(site, asked);
    if (moved === undefined) return this.inOtherComposition(site, name, asked);
    const { status, address, fragment, file } = moved;
    return status === 200 ? this.page(site, file) : redirectTo(`/${name}/${address}`, status, site, fragment);
  }

  /** Finds the page or file whose name has another Unicode composition, where redirects lead nowhere. */
  private async inOtherComposition(
    site: Located,
    name: string,
    asked: PageAddress,
  ): Promise<PageAnswer | undefined> {
    const composed = await this.pages.inMixedComposition(site.version, asked);
    if (composed !== undefined) return redirectTo(`/${name}/${composed.address}`, 302, site);
    // The address of a page's Markdown. That of a page with exactly this name is no other composition.
    const others = asked.otherCompositions;
    for (const each of others.length === 0 ? [] : [asked, ...others]) {
      const source = await this.sourceOf(site, each);
      await source?.file.close();
      if (source !== undefined) {
        return each === asked ? undefined : redirectTo(`/${name}/${each.toUrl()}`, 302, site);
      }
    }
    return undefined;
  }

  /** Returns the directory whose pages are asked for. */
  private async listedDirectory(
    { version }: Located,
    { path, isDirectory }: PageAddress,
  ): Promise<string | undefined> {
    const [, directory] = isDirectory ? [] : (/^((?:.+\/)?)llms\.txt$/.exec(path.toString()) ?? []);
    if (directory === undefined || directory === '') return directory;
    const checked = SitePath.of(directory.slice(0, -1));
    const entry = checked && (await this.docs.open(version, checked));
    if (entry?.kind === 'file') await entry.file.close();
    return entry?.kind === 'directory' ? directory : undefined;
  }

  /** Returns the HTML page for the address of its Markdown. */
  private async sourceOf(site: Located, { path, isDirectory }: PageAddress): Promise<FoundFile | undefined> {
    const [, name] = isDirectory ? [] : (/^(.+)\.md$/.exec(path.toString()) ?? []);
    if (name === undefined) return undefined;
    for (const page of isPage(name) ? [name] : [`${name}.html`, `${name}/index.html`]) {
      const source = SitePath.of(page);
      const file = source && (await this.file(site, source));
      if (file !== undefined) return file;
    }
    return undefined;
  }

  private async page(site: Located, path: SitePath): Promise<PageAnswer | undefined> {
    const found = await this.file(site, path);
    return found && { kind: 'page', ...found };
  }

  private async file(site: Located, path: SitePath): Promise<FoundFile | undefined> {
    const entry = await this.docs.open(site.version, path);
    return entry?.kind === 'file' ? { ...site, path, file: entry.file } : undefined;
  }

  private async withoutVersion(
    seen: VisibleCatalogue,
    urlPath: string,
    host: HostOfSites,
  ): Promise<PageAnswer> {
    const { name, slash, rest } = partsOf(urlPath);
    const archived = slash ? undefined : directoryNameOfArchive(name);
    const site = archived === undefined ? undefined : seen.locate(archived);
    if (site !== undefined) return { kind: 'archive', ...site };
    const named = seen.project(name);
    const page = named && PageAddress.fromUrl(rest);
    if (named !== undefined && page !== undefined) {
      const latest = { project: named, version: named.latest };
      const root = await this.addresses.rootOf(latest, `${name}-latest`, host);
      return { kind: 'other-root', to: { ...root, path: root.path + page.toUrl() }, ...latest };
    }
    const owner = seen.project(name)?.directoryName ?? parseDirectoryName(archived ?? name)?.project;
    const project = seen.listedProject(owner ?? '');
    if (project === undefined) return { kind: 'missing', missing: { what: 'project' } };
    const what = isPreview({ directoryName: name }) ? 'preview' : 'version';
    return { kind: 'missing', missing: { what, project } };
  }
}

function redirectTo(
  to: string,
  status: Exclude<RedirectStatus, 200>,
  site?: Located,
  fragment = '',
): PageAnswer {
  return { kind: 'redirect', to, status, fragment, site };
}
