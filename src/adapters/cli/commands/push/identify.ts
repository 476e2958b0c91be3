import { basename } from 'node:path';
import {
  describeName,
  isPreview,
  parseArchiveName,
  previewIdOf,
  type VersionId,
  versionIdOf,
  whyNoPreviewId,
  whyNoVersionId,
} from '../../../../domain/index.js';
import { type Guess, guessVersion, namesOfJob } from '../../client/index.js';
import { StartError } from '../../start-error.js';
import { shellWord } from '../../terminal.js';

const TAR = /^(.+)\.(?:tar(?:\.\w+)?|tgz|tbz2?|txz|tzst)$/i;

/** Names that the flags give. */
interface GivenNames {
  readonly project: string | undefined;
  readonly version: string | undefined;
  readonly preview: string | undefined;
}

/** Names with their sources. */
interface Names {
  readonly project?: Guess | undefined;
  readonly version?: Guess | undefined;
  readonly preview?: Guess | undefined;
}

/**
 * Determines project and version, or preview, of an archive or a directory: from the flags, then the archive's name,
 * then the CI job that this runs in, then a guess from the files in the current directory.
 * @returns the version or preview, and a sentence for people that names the sources, unless they are flags
 * @throws StartError when nothing gives one of them, or when they are no valid name
 */
export async function identify(
  path: string,
  given: GivenNames,
  { isArchive, env }: { readonly isArchive: boolean; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly id: VersionId; readonly sentence: string }> {
  if (given.version !== undefined && given.preview !== undefined) {
    throw new StartError('give --version or --preview, not both');
  }
  const named = isArchive ? namesIn(path) : {};
  const isNamed = given.version !== undefined || given.preview !== undefined;
  let project = flag(given.project, '--project') ?? named.project;
  let { version, preview }: Names = isNamed
    ? { version: flag(given.version, '--version'), preview: flag(given.preview, '--preview') }
    : named;
  if (version === undefined && preview === undefined) ({ version, preview } = namesOfJob(env));
  if (project === undefined || (version === undefined && preview === undefined)) {
    const guesses = await guessVersion(process.cwd());
    project ??= guesses.project;
    version ??= guesses.version;
  }
  if (project === undefined)
    throw new StartError('no project found in manifests or the repository: add --project');
  const label = preview ?? version;
  if (label === undefined)
    throw new StartError('no version found in manifests or the repository: add --version');
  const id = (preview === undefined ? versionIdOf : previewIdOf)(project.value, label.value);
  if (id === undefined) {
    const what = preview === undefined ? 'version' : 'preview';
    const why = preview === undefined ? whyNoVersionId : whyNoPreviewId;
    const mayBePreview = preview === undefined && previewIdOf(project.value, label.value) !== undefined;
    const instead = mayBePreview ? `; or publish a preview: --preview ${label.value}` : '';
    throw new StartError(
      `project '${project.value}' (from ${project.source}) and ${what} '${label.value}' (from ${label.source}) cannot be published: ${why(project.value, label.value)}${instead}`,
    );
  }
  const sources =
    project.source === label.source
      ? `from ${project.source}`
      : `project from ${project.source}, ${isPreview(id) ? 'preview' : 'version'} from ${label.source}`;
  const isGiven = [project, label].every(({ source }) => source.startsWith('--'));
  return { id, sentence: isGiven ? describeName(id) : `${describeName(id)} (${sources})` };
}

/**
 * Refuses a tar archive by its name: servers take zip archives only.
 * @throws StartError with the command that publishes what is in it
 */
export function refuseTar(path: string, given: GivenNames): void {
  const stem = TAR.exec(basename(path))?.[1];
  if (stem === undefined) return;
  const named = namesIn(`${stem}.zip`);
  const isNamed = given.version !== undefined || given.preview !== undefined;
  const { version, preview } = isNamed
    ? given
    : { version: named.version?.value, preview: named.preview?.value };
  const options = Object.entries({ project: given.project ?? named.project?.value, version, preview })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` --${name} ${shellWord(value ?? '')}`);
  const [archive, directory] = [path, stem].map(shellWord);
  throw new StartError(
    `${path} is a tar archive, but only directories and zip archives can be pushed; unpack it and push the directory: ` +
      `mkdir ${directory} && tar -xf ${archive} -C ${directory} && lectern push ${directory}${options.join('')}`,
  );
}

function flag(value: string | undefined, source: string): Guess | undefined {
  return value === undefined ? undefined : { value, source };
}

/** Returns the names in the name of an archive; none, when it has another form. */
function namesIn(path: string): Names {
  try {
    const id = parseArchiveName(basename(path));
    const source = "the archive's name";
    const [project, label] = [id.project, id.label].map((value) => ({ value, source }));
    return isPreview(id) ? { project, preview: label } : { project, version: label };
  } catch {
    return {};
  }
}
