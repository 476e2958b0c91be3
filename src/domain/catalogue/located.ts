import type { VersionId } from '../names/version-id.js';
import { isPreview } from '../preview.js';
import type { Project } from '../project.js';
import type { Version } from '../version.js';

/** A version or preview and its project. */
export interface Located {
  /** Undefined for a preview of a project without versions. */
  readonly project: Project | undefined;
  readonly version: Version;
}

/**
 * Whether a version is in lists, pages, switchers, searches and search engines (contract section 4). Who names one that is
 * not may read it nevertheless.
 */
export function isListed({ project, version }: Located): boolean {
  return !isPreview(version) && project?.isHidden(version.label) !== true;
}

/** Returns the name of a version inside its project, as addresses and parameters have it: its label, `~<name>` for a preview. */
export function nameInProject(id: VersionId): string {
  return isPreview(id) ? `~${id.label}` : id.label;
}

/** Returns the name of a project in the API; a preview beside no versions has that of its own docinfo. */
export function displayNameOf({ project, version }: Located): string {
  return project?.name ?? version.record.docinfo?.name ?? version.project;
}

/** Returns the title of a project on pages. */
export function projectTitle(located: Located): string {
  return located.project?.title ?? displayNameOf(located);
}
