import {
  boundName,
  type Contents,
  isBaseOfProject,
  isContentPage,
  type Located,
  LruCache,
  MISSING_PAGE,
  PageAddress,
  type Project,
  ROOT_BASE,
  type SiteFacts,
  SitePath,
  type Version,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { decodePage } from '../../formats/html/charset.js';
import { type PageLinks, pageLinksOf } from '../../formats/html/page-links.js';
import { rootedLinksOf } from '../../formats/html/rooted-links.js';
import { samplePaths } from '../../formats/html/text/site-conventions.js';
import { WorkTime } from '../../formats/work-time.js';
import { nextTurn } from '../concurrency.js';
import type { Sites } from '../ports/sites.js';
import { bytesOf, fileAt } from '../site-files.js';
import type { FindPage } from './find-page.js';

/** Form of the addresses of sites on the requested host. */
export interface HostOfSites {
  /** Path in front of every address of the main host; empty for none. */
  readonly basePath: string;
  /** Whether each version has a host of its own, with its site at the root. */
  readonly hasHosts: boolean;
  /** Whether addresses on the main host lead to these hosts. */
  readonly isRedirecting: boolean;
  /** Whether such a host is asked. There, paths begin with the name that the host belongs to. */
  readonly isOnHost: boolean;
}

/** The main host of a server without hosts of projects, and without a base path. */
export const MAIN_HOST: HostOfSites = {
  basePath: '',
  hasHosts: false,
  isRedirecting: false,
  isOnHost: false,
};

/** The root of a site. */
export interface SiteRoot {
  /** Rooted path with `/` at its end. On a host of its own, the name that the host belongs to is its first directory. */
  readonly path: string;
  /** Whether it is on a host of its own. */
  readonly onHost: boolean;
}

type Bases = Pick<SiteFacts, 'base' | 'missingPageBase'>;

/** Max. copied-in directories whose bases are in memory: some 5 MB. */
const MAX_KNOWN = 10_000;
/** Files of a copied-in directory that are known, and pages that are looked at besides the front page. */
const MAX_FILES = 20_000;
const MAX_PAGES = 5;
const MAX_PAGE_BYTES = 256 * 1024;
/** Time for the links of one page, in milliseconds. */
const MAX_PAGE_MS = 20;

/** Finds the addresses at which sites have to be read whose pages ask for their own files from the root (contract section 7). */
export class SiteAddresses {
  /** Bases of copied-in directories by revision: nobody has looked at their files before. */
  private readonly copied = new LruCache<Promise<Bases>>(MAX_KNOWN);

  constructor(private readonly docs: Pick<Sites, 'open' | 'listFiles'>) {}

  /** Returns the root under which to read a site that was asked for, or is named, as `name`. */
  async rootOf(site: Located, name: string, host: HostOfSites): Promise<SiteRoot> {
    const { base } = await this.basesOf(site.version);
    if (base === ROOT_BASE && host.hasHosts) return { path: `/${name}/`, onHost: true };
    const bound = base === undefined ? undefined : boundName(site, base, host.basePath);
    const onHost = host.isOnHost || host.isRedirecting;
    if (bound === undefined) return { path: `/${name}/`, onHost };
    return { path: onHost ? `/${bound}/${bound}/` : `/${bound}/`, onHost };
  }

  /**
   * Finds the site's root in a path, and whether its pages are to be read at another one. On a host of a project, the site is also
   * below its names, unless it has a folder of that name.
   */
  async placeOf(
    seen: VisibleCatalogue,
    site: Located,
    name: string,
    path: string,
    host: HostOfSites,
  ): Promise<{ readonly root: string; readonly rest: string; readonly moved?: SiteRoot }> {
    const plain = { root: name, rest: path };
    const to = await this.rootOf(site, name, host);
    if (!host.isOnHost) return to.onHost || to.path !== `/${name}/` ? { ...plain, moved: to } : plain;
    const { name: first, slash, rest } = partsOf(`/${path}`);
    const isOwnName = seen.resolve(first)?.revision === site.version.revision;
    const isBelowName = isOwnName && !(await this.hasEntry(site, first));
    const here = isBelowName ? { root: `${name}/${first}`, rest } : plain;
    const isBound = to.path !== `/${name}/` && !(await this.hasEntry(site, nameOfRoot(to)));
    if (isBound && to.path !== `/${here.root}/`) return { ...here, moved: to };
    return isBelowName && !slash ? { ...here, moved: { path: `/${here.root}/`, onHost: true } } : here;
  }

  /** Whether the site's own `404.html` finds its styles at the addresses of the host that is asked. */
  async showsMissingPage(seen: VisibleCatalogue, site: Located, host: HostOfSites): Promise<boolean> {
    const { missingPageBase: base } = await this.basesOf(site.version);
    return base === undefined || findsMissingPage(seen, site, base, host);
  }

  private async hasEntry(site: Located, name: string): Promise<boolean> {
    const path = SitePath.of(name);
    const entry = path && (await this.docs.open(site.version, path));
    if (entry?.kind === 'file') await entry.file.close();
    return entry !== undefined;
  }

  private basesOf(version: Version): Bases | Promise<Bases> {
    const { revision, origin, record } = version;
    if (origin === 'upload') return record;
    const known = this.copied.get(revision);
    if (known !== undefined) return known;
    const looking = this.lookAt(version);
    // Another request tries again.
    looking.catch(() => this.copied.delete(revision));
    return this.copied.set(revision, looking);
  }

  /** Looks at a sample of pages, as is done of an archive when it is unpacked. */
  private async lookAt(version: Version): Promise<Bases> {
    const { paths } = await this.docs.listFiles(version, MAX_FILES);
    const files = new Set(paths);
    const sample = new Set(['index.html', ...samplePaths(paths.filter(isContentPage), MAX_PAGES)]);
    const baseIn = async (some: Iterable<string>) => {
      const links: PageLinks[] = [];
      for (const path of some) {
        const page = await fileAt(this.docs, version, path);
        if (page === undefined) continue;
        const html = decodePage(await bytesOf(page.stream(), MAX_PAGE_BYTES));
        links.push(pageLinksOf(html, new WorkTime(MAX_PAGE_MS)));
        await nextTurn();
      }
      return rootedLinksOf(links, (path) => files.has(path))?.base;
    };
    return {
      base: await baseIn(sample),
      missingPageBase: await baseIn([MISSING_PAGE]),
    };
  }
}

/** Returns whether a `404.html` that was built for `base` finds its styles at the addresses of the host that is asked. */
export function findsMissingPage(
  seen: Pick<Contents, 'resolve'>,
  site: Located,
  base: string,
  { isOnHost, basePath }: HostOfSites,
): boolean {
  if (isOnHost) return base === ROOT_BASE || boundName(site, base, basePath) !== undefined;
  return isBaseOfProject(seen, site, base, basePath);
}

/** The name at the end of a root. */
function nameOfRoot({ path }: SiteRoot): string {
  return path.split('/').at(-2) ?? '';
}

/** Takes the path of a URL apart at the slash behind its first component. */
export function partsOf(urlPath: string): {
  readonly name: string;
  readonly slash: boolean;
  readonly rest: string;
} {
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

/** Use case: finds the page of the latest version that search engines are to show instead of a version's own. */
export class CanonicalPage {
  constructor(
    private readonly pages: FindPage,
    private readonly addresses: SiteAddresses,
  ) {}

  /**
   * @param path file of a page of the version
   * @returns where the page is, percent-encoded, below the root that the alias `<project>-latest` leads to; undefined when the
   *   latest version has no such page
   */
  async execute(
    project: Project,
    version: Version,
    path: SitePath,
    host: HostOfSites,
  ): Promise<SiteRoot | undefined> {
    const front = /^(?:(.*\/))?index\.html$/.exec(path.toUrl());
    const address = front === null ? path.toUrl() : (front[1] ?? '');
    const { latest } = project;
    const root = await this.rootOf(project, host);
    const within = (page: string) => ({ ...root, path: root.path + page });
    if (latest.revision === version.revision) return within(address);
    const page = PageAddress.fromUrl(address);
    if (page === undefined) return undefined;
    const same = await this.pages.inAnySpelling(latest, page);
    const found = same ?? (await this.pages.moved({ project, version: latest }, page));
    return found && within(found.address);
  }

  /** Returns the root of the latest version's site. */
  rootOf(project: Project, host: HostOfSites): Promise<SiteRoot> {
    const site = { project, version: project.latest };
    return this.addresses.rootOf(site, `${project.directoryName}-latest`, host);
  }
}
