import { decodedComponent, type Project } from '../domain/index.js';
import { closestProjects } from './closest-projects.js';
import type { GoToPage, Whereabouts } from './go-to-page.js';
import type { DocStore } from './ports/doc-store.js';
import type { Missing } from './read-page.js';

/** Suggestions for a missing page. */
export interface Suggestions {
  /** Projects with similar names, when the project is missing. */
  readonly projects: readonly Project[];
  /** The nearest page in the requested version. */
  readonly nearest?: Whereabouts | undefined;
  /** The page, or the nearest one, in the latest version. */
  readonly inLatest?: Whereabouts | undefined;
  /** The page's path inside the site, as in the URL, for links to other versions. */
  readonly page: string;
}

/** Use case: suggests existing pages for a missing one. */
export class SuggestInstead {
  constructor(
    private readonly docs: Pick<DocStore, 'catalogue'>,
    private readonly goToPage: GoToPage,
  ) {}

  /** @param urlPath path of the URL as sent */
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
    return { projects: [], page, nearest, inLatest };
  }
}
