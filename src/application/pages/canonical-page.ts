import { PageAddress, type Project, type SitePath, type Version } from '../../domain/index.js';
import type { FindPage } from './find-page.js';
import type { HostOfSites, SiteAddresses, SiteRoot } from './site-addresses.js';

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
