import { previewIdOf, refuse, type Version, type VisibleCatalogue } from '../../domain/index.js';

/** Use case: shows the previews of a project. */
export class ShowPreviews {
  /**
   * Returns the previews of a project, newest first.
   * @throws Refusal `project_not_found` when there is neither a version nor a preview
   */
  async ofProject(seen: VisibleCatalogue, project: string): Promise<readonly Version[]> {
    const previews = seen.previews.of(project);
    if (previews.length === 0 && seen.project(project) === undefined) throw refuse.projectNotFound(project);
    return previews;
  }

  /** @throws Refusal `preview_not_found` */
  async execute(seen: VisibleCatalogue, project: string, name: string): Promise<Version> {
    const id = previewIdOf(project, name);
    const preview = id && seen.version(id.directoryName);
    if (preview === undefined) throw refuse.previewNotFound(project, name);
    return preview;
  }
}
