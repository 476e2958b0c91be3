import type { Project } from './project.js';
import { isNumbered, isStable, type Version } from './version.js';

/** Status of a version relative to the latest one of its project. */
export type ReleaseStatus = 'latest' | 'older' | 'pre-release' | 'unreleased';

/** Returns a version's status. `unreleased`: a branch or commit in a project with numbered versions. */
export function releaseStatusOf({ latest }: Project, version: Version): ReleaseStatus {
  if (version.label === latest.label) return 'latest';
  if (isNumbered(latest.label) && !isNumbered(version.label)) return 'unreleased';
  return isStable(latest.label) && !isStable(version.label) ? 'pre-release' : 'older';
}
