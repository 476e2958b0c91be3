import type { Project } from './project.js';
import { isNumbered, isStable, type Version } from './version.js';

/** Where a version stands to the latest one of its project, as its readers should know. */
export type ReleaseStatus = 'latest' | 'older' | 'pre-release' | 'unreleased';

/** `unreleased` is a branch or a commit beside numbered versions: neither before nor behind them. */
export function releaseStatusOf({ latest }: Project, version: Version): ReleaseStatus {
  if (version.label === latest.label) return 'latest';
  if (isNumbered(latest.label) && !isNumbered(version.label)) return 'unreleased';
  return isStable(latest.label) && !isStable(version.label) ? 'pre-release' : 'older';
}
