import { previewIdOf, refuse, type Version } from '../domain/index.js';
import type { DocReader } from './ports/doc-store.js';

/** Use case: shows the previews of a project. Expired ones are not shown, whether or not they are removed yet. */
export class ShowPreviews {
  constructor(private readonly docs: Pick<DocReader, 'catalogue'>) {}

  /**
   * Returns the previews of a project, newest first.
   * @throws Refusal `project_not_found` when there is neither a version nor a preview
   */
  async ofProject(project: string, now = new Date()): Promise<readonly Version[]> {
    const catalogue = this.docs.catalogue().at(now);
    const previews = catalogue.previews.of(project);
    if (previews.length === 0 && catalogue.project(project) === undefined)
      throw refuse.projectNotFound(project);
    return previews;
  }

  /** @throws Refusal `preview_not_found` */
  async execute(project: string, name: string, now = new Date()): Promise<Version> {
    const id = previewIdOf(project, name);
    const preview = id && this.docs.catalogue().at(now).version(id.directoryName);
    if (preview === undefined) throw refuse.previewNotFound(project, name);
    return preview;
  }
}
