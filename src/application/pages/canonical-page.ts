import { PageAddress, type Project, type SitePath, type Version } from '../../domain/index.js';
import type { FindPage } from './find-page.js';

/** Use case: finds the page of the latest version that search engines are to show instead of a version's own. */
export class CanonicalPage {
  constructor(private readonly pages: FindPage) {}

  /**
   * @param path file of a page of the version
   * @returns a rooted path, percent-encoded, that begins with the alias `<project>-latest`; undefined when the latest
   *   version has no such page
   */
  async execute(project: Project, version: Version, path: SitePath): Promise<string | undefined> {
    const front = /^(?:(.*\/))?index\.html$/.exec(path.toUrl());
    const address = front === null ? path.toUrl() : (front[1] ?? '');
    const within = (page: string) => `/${project.directoryName}-latest/${page}`;
    const { latest } = project;
    if (latest.revision === version.revision) return within(address);
    const page = PageAddress.fromUrl(address);
    if (page === undefined) return undefined;
    const same = await this.pages.inAnySpelling(latest, page);
    const found = same ?? (await this.pages.moved({ project, version: latest }, page));
    return found && within(found.address);
  }
}
