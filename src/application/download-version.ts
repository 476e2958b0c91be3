import { refuse, type Version, versionIdOf } from '../domain/index.js';
import type { DocStore, StoredFile } from './ports/doc-store.js';

/** Use case: opens the archive of one version; `latest` names the latest one. */
export class DownloadVersion {
  constructor(private readonly docs: Pick<DocStore, 'catalogue' | 'openArchive'>) {}

  /** @throws Refusal `project_not_found`, `version_not_found` */
  async execute(request: { readonly project: string; readonly version: string }): Promise<{
    readonly version: Version;
    readonly file: StoredFile;
  }> {
    const project = this.docs.catalogue().project(request.project);
    if (project === undefined) throw refuse.projectNotFound(request.project);
    const id = versionIdOf(request.project, request.version);
    const version = request.version === 'latest' ? project.latest : id && project.version(id.label);
    if (version === undefined) throw refuse.versionNotFound(request.project, request.version);
    return { version, file: await this.docs.openArchive(version) };
  }
}
