import type { Located, Project } from '../domain/index.js';
import type { DocStore } from './ports/doc-store.js';

/** Finds one project. */
export class ShowProject {
  constructor(private readonly docs: Pick<DocStore, 'catalogue'>) {}

  /** @returns undefined when there is no such project */
  async execute(directoryName: string): Promise<Project | undefined> {
    return this.docs.catalogue().project(directoryName);
  }

  /** A version and its project, by the version's directory name or the alias `<project>-latest`. */
  async ofVersion(directoryName: string): Promise<Located | undefined> {
    return this.docs.catalogue().locate(directoryName);
  }
}
