import {
  type Catalogue,
  closestNames,
  decodedComponent,
  isCopiedInName,
  type Project,
  parseDirectoryName,
} from '../domain/index.js';
import type { GoToPage, Whereabouts } from './go-to-page.js';
import type { DocStore } from './ports/doc-store.js';
import type { Missing } from './read-page.js';

const MAX_SUGGESTED = 3;

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
    const inLatest = await this.goToPage.execute(`${project.directoryName}-latest`, page, catalogue);
    const nearest =
      missing.what === 'page'
        ? await this.goToPage.execute(decodedComponent(first), page, catalogue)
        : undefined;
    return { projects: [], page, nearest, inLatest };
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
  const names = catalogue.projects.map(({ directoryName }) => directoryName);
  const found = new Set(wanted.flatMap((each) => closestNames(each, names)));
  return [...found]
    .slice(0, MAX_SUGGESTED)
    .map((each) => catalogue.project(each))
    .filter((each) => each !== undefined);
}
