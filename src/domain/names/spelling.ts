import type { Refusal } from '../refusal/refusal.js';
import { refuse } from '../refusal/refuse.js';
import { fold } from '../search-term.js';
import { archiveNameOf, parseDirectoryName } from './archive-name.js';
import type { VersionId } from './version-id.js';

/** Returns whether two names are the same on a file system that ignores case. */
export function isSameFolded(a: string, b: string): boolean {
  return fold(a) === fold(b);
}

/**
 * Returns the lock key of a version on a file system that ignores case: the same for all names that it may take for
 * versions of one project. The key is never a version's name.
 */
export function spellingsOf(directoryName: string): string {
  const project = parseDirectoryName(directoryName.toLowerCase())?.project;
  return project === undefined ? fold(directoryName) : `${fold(project)}~`;
}

/**
 * Checks whether a version can be published on a file system that ignores case (contract section 2). A version that
 * exists in exactly this spelling can always be replaced.
 * @param existing all versions of the store
 * @returns `invalid_filename`, `project_not_allowed` or `version_exists`; undefined when it can
 */
export function whyNotSpelled(id: VersionId, existing: readonly VersionId[]): Refusal | undefined {
  const { project, directoryName } = id;
  if (existing.some((other) => other.directoryName === directoryName)) return undefined;
  const lower = parseDirectoryName(directoryName.toLowerCase());
  if (lower !== undefined && !isSameFolded(lower.project, project)) {
    const why = `is also version '${lower.label}' of project '${lower.project}' on this server, whose file system ignores case`;
    return refuse.invalidFilename(archiveNameOf(directoryName), why);
  }
  const twin = existing.find((other) => isSameFolded(other.directoryName, directoryName));
  if (twin !== undefined) return refuseSpelling(id, twin.directoryName);
  if (existing.some((other) => other.project === project)) return undefined;
  const owner = existing.find((other) => isSameFolded(other.project, project))?.project;
  return owner === undefined ? undefined : refuse.projectSpelledOtherwise(project, owner, owner);
}

/**
 * Returns the refusal of a version whose directory name exists in another spelling: `project_not_allowed` when
 * that version is another project's, else `version_exists`.
 */
export function refuseSpelling({ project, directoryName }: VersionId, existing: string): Refusal {
  const owner = parseDirectoryName(existing)?.project ?? project;
  return owner === project
    ? refuse.versionSpelledOtherwise(directoryName, existing)
    : refuse.projectSpelledOtherwise(directoryName, existing, owner);
}
