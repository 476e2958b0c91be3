import type { Located, Project } from '../domain/index.js';
import type { DocStore } from './ports/doc-store.js';

/** Use case: finds one project. */
export class ShowProject {
  constructor(private readonly docs: Pick<DocStore, 'catalogue'>) {}

  /** @returns the project, or undefined when there is none of this name */
  async execute(directoryName: string): Promise<Project | undefined> {
    return this.docs.catalogue().project(directoryName);
  }

  /** Returns a version and its project, by the version's directory name or the alias `<project>-latest`. */
  async ofVersion(directoryName: string): Promise<Located | undefined> {
    return this.docs.catalogue().locate(directoryName);
  }
}
