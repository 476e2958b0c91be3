import { archiveNameOf, parseDirectoryName, type VersionId } from './archive-name.js';
import type { Catalogue } from './catalogue.js';
import { type Refusal, refuse } from './refusal.js';
import { fold } from './search-term.js';

/** Whether a file system that ignores case takes two names for one. */
export function isSameFolded(a: string, b: string): boolean {
  return fold(a) === fold(b);
}

/**
 * Why a version cannot be published on a file system that ignores case (contract section 2): `invalid_filename`,
 * `project_not_allowed` or `version_exists`; undefined when it can. A version that is there in this very spelling can
 * always be replaced.
 */
export function whyNotSpelled(id: VersionId, catalogue: Catalogue): Refusal | undefined {
  const { project, directoryName } = id;
  if (catalogue.version(directoryName) !== undefined) return undefined;
  const lower = parseDirectoryName(directoryName.toLowerCase());
  if (lower !== undefined && !isSameFolded(lower.project, project)) {
    const why = `is also version '${lower.label}' of project '${lower.project}' on this server, whose file system ignores upper and lower case`;
    return refuse.invalidFilename(archiveNameOf(directoryName), why);
  }
  const isNew = catalogue.project(project) === undefined;
  for (const other of catalogue.projects) {
    if (!fold(directoryName).startsWith(`${fold(other.directoryName)}-`)) continue;
    const twin = other.versions.find((version) => isSameFolded(version.directoryName, directoryName));
    if (twin !== undefined) return refuseSpelling(id, twin.directoryName);
    if (isNew && isSameFolded(other.directoryName, project)) {
      return refuse.projectSpelledOtherwise(project, other.directoryName, other.directoryName);
    }
  }
  return undefined;
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
