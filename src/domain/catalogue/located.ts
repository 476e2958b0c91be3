import { isPreview } from '../previews/preview.js';
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
