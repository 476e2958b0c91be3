import { DeleteVersion } from './delete-version.js';
import { DownloadVersion } from './download-version.js';
import { GoToPage } from './go-to-page.js';
import { ListProjects } from './list-projects.js';
import type { Archives } from './ports/archives.js';
import type { DirectDownloads, DocStore, LocalStore } from './ports/doc-store.js';
import type { TokenRegistry } from './ports/token-registry.js';
import { ReadPage } from './read-page.js';
import { ShowProject } from './show-project.js';
import { ShowToken } from './show-token.js';
import { SuggestInstead } from './suggest-instead.js';
import { type UploadLimits, UploadVersion } from './upload-version.js';

/** All use cases of the application. */
export interface UseCases {
  readonly uploadVersion: UploadVersion;
  readonly deleteVersion: DeleteVersion;
  readonly listProjects: ListProjects;
  readonly showProject: ShowProject;
  readonly showToken: ShowToken;
  readonly downloadVersion: DownloadVersion;
  readonly readPage: ReadPage;
  readonly goToPage: GoToPage;
  readonly suggestInstead: SuggestInstead;
}

/** The ports that the use cases depend on. */
export interface Ports {
  readonly docs: DocStore;
  readonly tokens: TokenRegistry;
  readonly archives: Archives;
  /** The same store as `docs`, when it is on a disk. */
  readonly disk?: Pick<LocalStore, 'freeBytes'> | undefined;
  /** The same store, when clients are to download archives from it by themselves. */
  readonly direct?: DirectDownloads | undefined;
}

/** Creates all use cases on these ports. */
export function createUseCases(
  { docs, tokens, archives, disk, direct }: Ports,
  limits?: UploadLimits,
): UseCases {
  const goToPage = new GoToPage(docs);
  return {
    uploadVersion: new UploadVersion(docs, tokens, archives, limits, disk),
    deleteVersion: new DeleteVersion(docs, tokens),
    listProjects: new ListProjects(docs),
    showProject: new ShowProject(docs),
    downloadVersion: new DownloadVersion(docs, direct),
    showToken: new ShowToken(tokens),
    readPage: new ReadPage(docs),
    goToPage,
    suggestInstead: new SuggestInstead(docs, goToPage),
  };
}
