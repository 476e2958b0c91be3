import { refuse, type Version, versionIdOf } from '../domain/index.js';
import type { DirectDownloads, DocStore, StoredFile } from './ports/doc-store.js';

/** An archive to download: the open file, or a URL of the store that has it. */
export type Download = { readonly version: Version } & (
  | { readonly file: StoredFile }
  | { readonly url: string }
);

/** Use case: opens the archive of one version; `latest` names the latest one. */
export class DownloadVersion {
  constructor(
    private readonly docs: Pick<DocStore, 'catalogue' | 'openArchive'>,
    /** The store, if clients are to download from it by themselves. */
    private readonly direct?: DirectDownloads,
  ) {}

  /** @throws Refusal `project_not_found`, `version_not_found` */
  async execute(request: { readonly project: string; readonly version: string }): Promise<Download> {
    const project = this.docs.catalogue().project(request.project);
    if (project === undefined) throw refuse.projectNotFound(request.project);
    const id = versionIdOf(request.project, request.version);
    const version = request.version === 'latest' ? project.latest : id && project.version(id.label);
    if (version === undefined) throw refuse.versionNotFound(request.project, request.version);
    if (this.direct !== undefined) return { version, url: await this.direct.downloadUrl(version) };
    return { version, file: await this.docs.openArchive(version) };
  }
}
