import { archiveNameOf, parseDirectoryName, type VersionId } from './archive-name.js';
import { type Refusal, refuse } from './refusal.js';
import { fold } from './search-term.js';

/** Whether a file system that ignores case takes two names for one. */
export function isSameFolded(a: string, b: string): boolean {
  return fold(a) === fold(b);
}

/**
 * What all names have in common that a file system which ignores case may take for versions of one project: no two of
 * them may be changed at the same time. Is no name of a version itself.
 */
export function spellingsOf(directoryName: string): string {
  const project = parseDirectoryName(directoryName.toLowerCase())?.project;
  return project === undefined ? fold(directoryName) : `${fold(project)}~`;
}

/**
 * Why a version cannot be published on a file system that ignores case (contract section 2): `invalid_filename`,
 * `project_not_allowed` or `version_exists`; undefined when it can. A version that is there in this very spelling can
 * always be replaced.
 * @param existing all versions that there are
 */
export function whyNotSpelled(id: VersionId, existing: readonly VersionId[]): Refusal | undefined {
  const { project, directoryName } = id;
  if (existing.some((other) => other.directoryName === directoryName)) return undefined;
  const lower = parseDirectoryName(directoryName.toLowerCase());
  if (lower !== undefined && !isSameFolded(lower.project, project)) {
    const why = `is also version '${lower.label}' of project '${lower.project}' on this server, whose file system ignores upper and lower case`;
    return refuse.invalidFilename(archiveNameOf(directoryName), why);
  }
  const twin = existing.find((other) => isSameFolded(other.directoryName, directoryName));
  if (twin !== undefined) return refuseSpelling(id, twin.directoryName);
  if (existing.some((other) => other.project === project)) return undefined;
  const owner = existing.find((other) => isSameFolded(other.project, project))?.project;
  return owner === undefined ? undefined : refuse.projectSpelledOtherwise(project, owner, owner);
}

/**
 * The refusal of a version because its directory name is there in another spelling: `project_not_allowed` when that
 * is another project's, else `version_exists`.
 */
export function refuseSpelling({ project, directoryName }: VersionId, existing: string): Refusal {
  const owner = parseDirectoryName(existing)?.project ?? project;
  return owner === project
    ? refuse.versionSpelledOtherwise(directoryName, existing)
    : refuse.projectSpelledOtherwise(directoryName, existing, owner);
}
