import {
  halvesOf,
  isBuildCache,
  isIgnoredName,
  isPreview,
  previewIdOf,
  splitDirectoryName,
  type VersionId,
  versionIdOf,
  whyNoLabel,
  whyNoPreviewName,
  whyNoProject,
  whyNoVersionId,
} from '../../domain/index.js';

export { isBuildCache, isIgnoredName, isPreview };

/** Content of the two fields of the upload page. The version of a preview is `~<name>`. */
interface Names {
  readonly project: string;
  readonly version: string;
}

/** Names of folders that builders write: no project is called so. */
const OUTPUT_FOLDERS = /^(?:_?build|_?site|dist|docs?|html|out|output|public|target|www)$/i;

/** Suggests names for an archive, or a folder that is called like one; undefined when its name is ambiguous. */
export function suggestedNames(fileName: string): Names | undefined {
  const archive = /^(.+)-docs\.zip$/i.exec(fileName);
  const names = namesIn(archive?.[1] ?? fileName.replace(/\.zip$/i, ''));
  return archive !== null || /^(?:v?\d|~)/.test(names?.version ?? '') ? names : undefined;
}

/** Suggests names for a folder: like an archive's, else its own name as the project. */
export function suggestedFolderNames(folder: string): Partial<Names> | undefined {
  const names = suggestedNames(folder);
  if (names !== undefined || OUTPUT_FOLDERS.test(folder)) return names;
  const project = folder.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[._-]+|[._-]+$/g, '');
  return project === '' ? undefined : { project };
}

/** Returns the version or preview that two names mean; undefined when `faultsOf` finds something. */
export function idOf({ project, version }: Names): VersionId | undefined {
  const preview = previewIn(version);
  return preview === undefined ? versionIdOf(project, version) : previewIdOf(project, preview);
}

/** Returns what is wrong with each name, and with both together, for people. The server takes them when nothing is. */
export function faultsOf(
  names: Names,
): Readonly<Record<'project' | 'version' | 'names', string | undefined>> {
  const project = names.project === '' ? 'name the project' : whyNoProject(names.project);
  const version = names.version === '' ? 'name the version' : whyNoVersion(names.project, names.version);
  const isBoth = project === undefined && version === undefined && idOf(names) === undefined;
  return { project, version, names: isBoth ? whyNoVersionId(names.project, names.version) : undefined };
}

function whyNoVersion(project: string, version: string): string | undefined {
  const preview = previewIn(version);
  if (preview === undefined) return whyNoLabel(project, version);
  const why = whyNoPreviewName(preview);
  return why && `after '~', ${why}`;
}

/** Splits a name, valid or not; undefined when it has neither sign. */
function namesIn(directoryName: string): Names | undefined {
  if (isPreview({ directoryName })) {
    const [project, preview] = halvesOf(directoryName);
    return { project, version: `~${preview}` };
  }
  const id = splitDirectoryName(directoryName);
  return id && { project: id.project, version: id.label };
}

/** Returns the name of a preview without its `~`; undefined for a version. */
function previewIn(version: string): string | undefined {
  return version.startsWith('~') ? version.slice(1) : undefined;
}
