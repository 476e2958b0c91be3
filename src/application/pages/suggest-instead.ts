import {
  addressOfPage,
  type Catalogue,
  closestNames,
  closestPages,
  decodedComponent,
  isCopiedInName,
  PageAddress,
  type Project,
  parseDirectoryName,
  type Version,
} from '../../domain/index.js';
import type { DocStore } from '../ports/doc-store.js';
import type { GoToPage, Whereabouts } from './go-to-page.js';
import type { Missing } from './read-page.js';

const MAX_SUGGESTED = 3;
/** Max. files of a version among which pages are suggested. */
const MAX_FILES = 10_000;
/** Max. lists of files in memory. */
const MAX_LISTS = 4;
/** Max. versions in which a missing page is looked for, besides the latest. */
const MAX_VERSIONS = 12;

/** Suggestions for a missing page. */
export interface Suggestions {
  /** Projects with similar names, when the project is missing. */
  readonly projects: readonly Project[];
  /** Pages of the requested version that may be meant, best first. */
  readonly closest: readonly Whereabouts[];
  /** The nearest directory with a front page above the requested page, in the requested version. */
  readonly nearest?: Whereabouts | undefined;
  /** The page, or the nearest one, in the latest version. */
  readonly inLatest?: Whereabouts | undefined;
  /** The page in other versions than these two, newest first. */
  readonly inOthers: readonly Whereabouts[];
  /** The page's path inside the site, as in the URL, for links to other versions. */
  readonly page: string;
}

/** Use case: suggests existing pages for a missing one. */
export class SuggestInstead {
  /** Files of uploaded versions, by revision; the least recently used is forgotten first. */
  private readonly lists = new Map<string, readonly string[]>();

  constructor(
    private readonly docs: Pick<DocStore, 'catalogue' | 'listFiles'>,
    private readonly goToPage: GoToPage,
  ) {}

  /** @param urlPath path of the URL as sent */
  async execute(missing: Missing, urlPath: string): Promise<Suggestions> {
    const catalogue = this.docs.catalogue().at(new Date());
    const [, first = '', page = ''] = /^\/([^/]*)\/?(.*)$/s.exec(urlPath) ?? [];
    if (missing.what === 'project') {
      const projects = closestProjects(catalogue, decodedComponent(first));
      return { projects, page, closest: [], inOthers: [] };
    }
    const { project } = missing;
    const alias = project && `${project.directoryName}-latest`;
    const inLatest = alias === undefined ? undefined : await this.goToPage.execute(alias, page, catalogue);
    const version = missing.what === 'page' ? missing.version : undefined;
    const inOthers = project === undefined ? [] : await this.inOthers(project, version, page, catalogue);
    if (version === undefined) return { projects: [], page, closest: [], inLatest, inOthers };
    const directoryName = decodedComponent(first);
    const nearest = await this.goToPage.execute(directoryName, page, catalogue);
    const closest = await this.closestIn(version, directoryName, page);
    return { projects: [], page, closest, nearest, inLatest, inOthers };
  }

  private async inOthers(
    project: Project,
    lacking: Version | undefined,
    page: string,
    catalogue: Catalogue,
  ): Promise<readonly Whereabouts[]> {
    if (page === '') return [];
    const others = project.listed
      .filter((each) => ![lacking, project.latest].some((no) => no?.directoryName === each.directoryName))
      .slice(-MAX_VERSIONS)
      .toReversed();
    const found: Whereabouts[] = [];
    for (const { directoryName } of others) {
      const whereabouts = await this.goToPage.execute(directoryName, page, catalogue);
      if (whereabouts?.isSame) found.push(whereabouts);
    }
    return found;
  }

  private async closestIn(
    version: Version,
    directoryName: string,
    page: string,
  ): Promise<readonly Whereabouts[]> {
    const wanted = PageAddress.fromUrl(page);
    if (wanted === undefined) return [];
    return (await this.closestTo(wanted, version)).map((path) => {
      return { version, to: `/${directoryName}/${addressOfPage(path)}`, isSame: false };
    });
  }

  /** Returns the pages of a version that may be meant by an address, best first. */
  async closestTo(wanted: PageAddress, version: Version): Promise<readonly string[]> {
    return closestPages(wanted, await this.filesOf(version), MAX_SUGGESTED);
  }

  private async filesOf(version: Version): Promise<readonly string[]> {
    const { revision, origin } = version;
    const paths = this.lists.get(revision) ?? (await this.docs.listFiles(version, MAX_FILES)).paths;
    // Files of a copied-in directory may change at any time.
    if (origin === 'copied') return paths;
    this.lists.delete(revision);
    this.lists.set(revision, paths);
    const [oldest] = this.lists.keys();
    if (oldest !== undefined && this.lists.size > MAX_LISTS) this.lists.delete(oldest);
    return paths;
  }
}

/**
 * Returns the projects with the most similar names.
 * @param name the requested name of a project, a version, or an alias `<project>-latest`
 */
function closestProjects(catalogue: Catalogue, name: string): readonly Project[] {
  const project = parseDirectoryName(name)?.project;
  // Only a number marks a version for certain: `my-projetc` is no version of `my`.
  const wanted =
    project !== undefined && isCopiedInName(name) ? [project] : [name.replace(/-latest$/, ''), project ?? ''];
  const names = catalogue.listed.map(({ directoryName }) => directoryName);
  const found = new Set(wanted.flatMap((each) => closestNames(each, names)));
  return [...found]
    .slice(0, MAX_SUGGESTED)
    .map((each) => catalogue.project(each))
    .filter((each) => each !== undefined);
}
