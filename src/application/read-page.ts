import {
  type Catalogue,
  directoryNameOfArchive,
  type Located,
  type Project,
  parseDirectoryName,
  SitePath,
  type Version,
} from '../domain/index.js';
import type { DocStore, FileList, StoredFile } from './ports/doc-store.js';

/** The missing part of an address: project, version or page, with the parts that exist. */
export type Missing =
  | { readonly what: 'project' }
  | { readonly what: 'version'; readonly project: Project }
  | { readonly what: 'page'; readonly project: Project; readonly version: Version };

/** An open file of a site, with its version, project and path. The caller reads or closes it. */
export interface FoundFile extends Located {
  readonly path: SitePath;
  readonly file: StoredFile;
}

/** The result of looking up the path of a URL. */
export type PageAnswer =
  | ({ readonly kind: 'page' } & FoundFile)
  /**
   * `to` is a rooted path, percent-encoded, without a query. It starts with the name of an existing version or project
   * (only letters, digits, `.`, `_`, `+`, `-`), so it can never lead to another host.
   */
  | { readonly kind: 'redirect'; readonly to: string; readonly permanent: boolean }
  /** The root of a site without `index.html`: the caller lists its files. */
  | { readonly kind: 'listing'; readonly version: Version }
  | { readonly kind: 'archive'; readonly project: string; readonly version: string }
  | {
      readonly kind: 'missing';
      readonly missing: Missing;
      /** The site's own `404.html`. */
      readonly page?: FoundFile | undefined;
    };

const NOT_FOUND = SitePath.root.child('404.html');
/** Max. files in the listing of a site without a front page. */
const MAX_LISTED = 5_000;
/** Max. UTF-16 code units of all paths in a listing together. */
const MAX_LISTED_TEXT = 500_000;

/** Use case: finds the page for a URL path (contract section 7): sites, `-latest` aliases, archives by name. */
export class ReadPage {
  constructor(private readonly docs: DocStore) {}

  /** @param urlPath path of the URL as sent: percent-encoded, starting with `/`, without a query */
  async execute(urlPath: string): Promise<PageAnswer> {
    const { name, slash, rest } = partsOf(urlPath);
    const catalogue = this.docs.catalogue();
    const site = catalogue.locate(name);
    if (site === undefined) return this.withoutVersion(catalogue, name, slash, rest);
    if (!slash) return { kind: 'redirect', to: `/${name}/`, permanent: true };
    const found = await this.inSite(site, name, rest);
    if (found !== undefined) return found;
    const page = await this.file(site, NOT_FOUND);
    return { kind: 'missing', missing: { what: 'page', ...site }, page };
  }

  /** Returns the first files of a site by path, within `MAX_LISTED` and `MAX_LISTED_TEXT`. */
  async filesOf(version: Version): Promise<FileList> {
    const { paths, more } = await this.docs.listFiles(version, MAX_LISTED);
    let text = 0;
    const tooMuch = paths.findIndex((path) => {
      text += path.length;
      return text > MAX_LISTED_TEXT;
    });
    return tooMuch === -1 ? { paths, more } : { paths: paths.slice(0, tooMuch), more: true };
  }

  private async inSite(site: Located, name: string, rest: string): Promise<PageAnswer | undefined> {
    const asked = pathIn(rest);
    if (asked === undefined) return undefined;
    const { path, isDirectory } = asked;
    if (isDirectory) {
      const page = await this.page(site, path.child('index.html'));
      if (page !== undefined) return page;
      return path === SitePath.root ? { kind: 'listing', version: site.version } : undefined;
    }
    const entry = await this.docs.open(site.version, path);
    if (entry?.kind === 'file') return { kind: 'page', ...site, path, file: entry.file };
    if (entry?.kind === 'directory') {
      return { kind: 'redirect', to: `/${name}/${path.toUrl()}/`, permanent: true };
    }
    const withHtml = path.withSuffix('.html');
    return withHtml && this.page(site, withHtml);
  }

  private async page(site: Located, path: SitePath): Promise<PageAnswer | undefined> {
    const found = await this.file(site, path);
    return found && { kind: 'page', ...found };
  }

  private async file(site: Located, path: SitePath): Promise<FoundFile | undefined> {
    const entry = await this.docs.open(site.version, path);
    return entry?.kind === 'file' ? { ...site, path, file: entry.file } : undefined;
  }

  private withoutVersion(catalogue: Catalogue, name: string, slash: boolean, rest: string): PageAnswer {
    if (!slash) {
      const archived = directoryNameOfArchive(name);
      const version = archived === undefined ? undefined : catalogue.resolve(archived);
      if (version !== undefined) return { kind: 'archive', project: version.project, version: version.label };
    }
    if (rest === '' && catalogue.project(name) !== undefined) {
      return { kind: 'redirect', to: `/${name}-latest/`, permanent: false };
    }
    const project = catalogue.project(name) ?? catalogue.project(parseDirectoryName(name)?.project ?? '');
    return {
      kind: 'missing',
      missing: project === undefined ? { what: 'project' } : { what: 'version', project },
    };
  }
}

function partsOf(urlPath: string): { readonly name: string; readonly slash: boolean; readonly rest: string } {
  if (!urlPath.startsWith('/')) return { name: '', slash: false, rest: '' };
  const slashAt = urlPath.indexOf('/', 1);
  const slash = slashAt !== -1;
  const first = urlPath.slice(1, slash ? slashAt : undefined);
  return {
    name: SitePath.fromUrl(first)?.toString() ?? '',
    slash,
    rest: slash ? urlPath.slice(slashAt + 1) : '',
  };
}

/** Parses the part of a URL path after the site's name; undefined for invalid and hidden paths. */
function pathIn(rest: string): { readonly path: SitePath; readonly isDirectory: boolean } | undefined {
  const isDirectory = rest === '' || rest.endsWith('/');
  // A second slash is an empty component, not the root.
  const path = SitePath.fromUrl(isDirectory && rest !== '/' ? rest.slice(0, -1) : rest);
  return path === undefined || path.isHidden ? undefined : { path, isDirectory };
}
