import type { Project, Version } from '../domain/index.js';
import { closestProjects } from './closest-projects.js';
import type { DocStore } from './ports/doc-store.js';

export type ProjectAnswer =
  | { readonly kind: 'project'; readonly project: Project }
  /** There is no such project; these have names close to it. */
  | { readonly kind: 'missing'; readonly closest: readonly Project[] };

/** Finds one project. */
export class ShowProject {
  constructor(private readonly docs: Pick<DocStore, 'catalogue'>) {}

  async execute(directoryName: string): Promise<ProjectAnswer> {
    const catalogue = await this.docs.catalogue();
    const project = catalogue.project(directoryName);
    if (project !== undefined) return { kind: 'project', project };
    return { kind: 'missing', closest: closestProjects(catalogue, directoryName) };
  }

  /** A version and its project, by the version's directory name or the alias `<project>-latest`. */
  async ofVersion(
    directoryName: string,
  ): Promise<{ readonly project: Project; readonly version: Version } | undefined> {
    const catalogue = await this.docs.catalogue();
    const version = catalogue.resolve(directoryName);
    const project = version && catalogue.project(version.project);
    return version && project && { project, version };
  }
}
