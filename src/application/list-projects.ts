import type { Project } from '../domain/index.js';
import type { DocStore } from './ports/doc-store.js';

/** Lists projects with their versions, sorted by directory name. */
export class ListProjects {
  constructor(private readonly docs: DocStore) {}

  /**
   * @param search a case-insensitive part of the name or the directory name; empty or absent lists all
   * @returns without a search, the same array as before when nothing has changed
   */
  async execute({ search = '' }: { readonly search?: string | undefined } = {}): Promise<readonly Project[]> {
    const { projects } = await this.docs.catalogue();
    return search === '' ? projects : projects.filter((project) => project.matches(search));
  }

  /** All of them without waiting; undefined where it takes a look at the disk to know them. */
  now(): readonly Project[] | undefined {
    return this.docs.catalogueNow()?.projects;
  }
}
