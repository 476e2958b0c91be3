import { decodedComponent, type Project } from '../domain/index.js';
import { closestProjects } from './closest-projects.js';
import type { GoToPage, Whereabouts } from './go-to-page.js';
import type { DocStore } from './ports/doc-store.js';
import type { Missing } from './read-page.js';

/** What there is instead of what is missing. */
export interface Suggestions {
  /** Projects whose names are close, when no project has the name. */
  readonly projects: readonly Project[];
  /** The page, or the nearest to it, in the version that was asked for. */
  readonly nearest?: Whereabouts;
  /** The page, or the nearest to it, in the latest version. */
  readonly inLatest?: Whereabouts;
  /** The page as it stands in the URL, to look for it in other versions. */
  readonly page: string;
}

/** Helps someone on who asked for something that is not here. */
export class SuggestInstead {
  constructor(
    private readonly docs: Pick<DocStore, 'catalogue'>,
    private readonly goToPage: GoToPage,
  ) {}

  /** @param urlPath the path of the URL as it was sent */
  async execute(missing: Missing, urlPath: string): Promise<Suggestions> {
    const catalogue = this.docs.catalogue();
    const [, first = '', page = ''] = /^\/([^/]*)\/?(.*)$/s.exec(urlPath) ?? [];
    if (missing.what === 'project') {
      return { projects: closestProjects(catalogue, decodedComponent(first)), page };
    }
    const { project } = missing;
    const inLatest = await this.goToPage.in(catalogue, `${project.directoryName}-latest`, page);
    const nearest =
      missing.what === 'page' ? await this.goToPage.in(catalogue, decodedComponent(first), page) : undefined;
    return {
      projects: [],
      page,
      ...(nearest === undefined ? {} : { nearest }),
      ...(inLatest === undefined ? {} : { inLatest }),
    };
  }
}
