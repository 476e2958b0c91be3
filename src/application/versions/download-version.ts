import { LATEST, type Located, refuse, type VisibleCatalogue, versionIdOf } from '../../domain/index.js';
import type { Sites, StoredFile } from '../ports/sites.js';
import type { DirectDownloads } from '../ports/store-abilities.js';

/** Time for which the URL of an archive is valid, in seconds. */
const MAX_AGE_SECONDS = 600;
/** The same where not everybody may read the project: whoever has the URL needs no right. */
const MAX_PRIVATE_AGE_SECONDS = 60;

/** An archive to download: the open file, or a URL of the store that has it. */
export type Download = Located & ({ readonly file: StoredFile } | { readonly url: string });

/** Use case: opens the archive of one version, which an alias or `latest` may name. */
export class DownloadVersion {
  constructor(
    private readonly docs: Sites,
    /** The store, if clients are to download from it by themselves. */
    private readonly direct?: DirectDownloads,
  ) {}

  /**
   * @param isPrivate whether a URL is to be valid for a short time only
   * @throws Refusal `project_not_found`, `version_not_found`
   */
  async execute(
    seen: VisibleCatalogue,
    request: { readonly project: string; readonly version: string },
    isPrivate = false,
  ): Promise<Download> {
    const project = seen.project(request.project);
    if (project === undefined) throw refuse.projectNotFound(request.project);
    const id = versionIdOf(request.project, request.version);
    const named = id && (project.version(id.label) ?? project.named(id.label));
    const version = request.version === LATEST ? project.latest : named;
    if (version === undefined) throw refuse.versionNotFound(request.project, request.version);
    return this.open({ project, version }, isPrivate);
  }

  /** @throws Refusal `version_not_found` when the version or preview is gone */
  async open({ project, version }: Located, isPrivate = false): Promise<Download> {
    if (this.direct !== undefined) {
      const seconds = isPrivate ? MAX_PRIVATE_AGE_SECONDS : MAX_AGE_SECONDS;
      return { project, version, url: await this.direct.downloadUrl(version, seconds) };
    }
    return { project, version, file: await this.docs.openArchive(version) };
  }
}
