import type { Project } from '../project.js';
import { isNumbered, isStable, type Version } from '../version.js';
import { isListed, type Located } from './contents.js';

/** Versions that are tried while the index of the latest one is missing. */
const MAX_OLDER = 3;

/** Versions whose pages are kept searchable: `latest` and the newest of each project, or all. */
export type SearchScope = 'latest' | 'all';

/** Versions that may answer a search for a project, best first: the latest, then the newest before it that are as stable. */
export function versionsThatAnswer({ latest, listed }: Project): readonly Version[] {
  const at = listed.indexOf(latest);
  const isAsStable = ({ label }: Version) =>
    isNumbered(label) === isNumbered(latest.label) && (isStable(label) || !isStable(latest.label));
  const older = listed.slice(0, Math.max(0, at)).filter(isAsStable).toReversed();
  return [latest, ...older.slice(0, MAX_OLDER)];
}

/** Whether the pages of a version can be searched for. A preview beside no versions decides by its own docinfo. */
export function isSearched({ project, version }: Located): boolean {
  return project?.isSearched ?? version.record.docinfo?.search !== false;
}

/** Whether a search that names no version looks into this project. */
export function isFoundAmongAll(project: Project): boolean {
  return project.isSearched && isListed({ project, version: project.latest });
}

/**
 * Versions that are to be searchable, in the order in which they are indexed: the latest of all projects, then the others.
 * Hidden ones and previews are indexed when somebody searches in them.
 */
export function versionsToIndex(projects: readonly Project[], scope: SearchScope): readonly Version[] {
  const searched = projects.filter(isFoundAmongAll);
  const others = searched.flatMap(({ latest, listed }) => {
    const newestFirst = listed.toReversed();
    return (scope === 'all' ? newestFirst : newestFirst.slice(0, 1)).filter((each) => each !== latest);
  });
  return [...searched.map(({ latest }) => latest), ...others];
}
