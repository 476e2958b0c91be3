import { basename } from 'node:path';
import { parseArchiveName, type VersionId, versionIdOf, whyNoVersionId } from '../../../domain/index.js';
import { type Guess, guessVersion } from '../client/index.js';
import { StartError } from '../start-error.js';

/**
 * Determines project and version of an archive or a directory: from the flags, then the archive's name, then a
 * guess from the files in the current directory.
 * @returns the version, and a sentence for people that names the sources
 * @throws StartError when nothing gives one of them, or when they are no valid name
 */
export async function identify(
  path: string,
  given: { readonly project: string | undefined; readonly version: string | undefined },
  isArchive: boolean,
): Promise<{ readonly id: VersionId; readonly sentence: string }> {
  const named = isArchive ? fromFileName(path) : undefined;
  let project = flag(given.project, '--project') ?? named?.project;
  let version = flag(given.version, '--version') ?? named?.version;
  if (project === undefined || version === undefined) {
    const guesses = await guessVersion(process.cwd());
    project ??= guesses.project;
    version ??= guesses.version;
  }
  if (project === undefined)
    throw new StartError('no manifest or repository here names the project: add --project');
  if (version === undefined)
    throw new StartError('no manifest or repository here names the version: add --version');
  const id = versionIdOf(project.value, version.value);
  if (id === undefined) {
    throw new StartError(
      `project '${project.value}' (from ${project.source}) and version '${version.value}' (from ${version.source}) cannot be published: ${whyNoVersionId(project.value, version.value)}`,
    );
  }
  const sources =
    project.source === version.source
      ? `from ${project.source}`
      : `project from ${project.source}, version from ${version.source}`;
  return { id, sentence: `${id.project} ${id.label} (${sources})` };
}

function flag(value: string | undefined, source: string): Guess | undefined {
  return value === undefined ? undefined : { value, source };
}

function fromFileName(path: string): { readonly project: Guess; readonly version: Guess } | undefined {
  try {
    const { project, label } = parseArchiveName(basename(path));
    const source = "the archive's name";
    return { project: { value: project, source }, version: { value: label, source } };
  } catch {
    return undefined;
  }
}
