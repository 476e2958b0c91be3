// Parses file names like the server (src/domain/archive-name.ts); a test compares the two.

const SEMANTIC =
  /^v?(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*)?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/;

/** Splits `<project>-<version>` and `<project>~<preview>`, whose version is `~<preview>`; undefined when there is neither sign. */
export function splitName(name) {
  const mark = name.indexOf('~');
  if (mark !== -1) return { project: name.slice(0, mark), version: name.slice(mark) };
  const hyphens = [...name.matchAll(/-/g)].map(({ index }) => index);
  const at =
    hyphens.find((index) => SEMANTIC.test(name.slice(index + 1))) ??
    hyphens.find((index) => /^v?\d/.test(name.slice(index + 1))) ??
    hyphens.at(-1);
  return at === undefined ? undefined : { project: name.slice(0, at), version: name.slice(at + 1) };
}

/** Joins what `splitName` splits. */
export function joinedName(project, version) {
  return isPreview(version) ? project + version : `${project}-${version}`;
}

export function isPreview(version) {
  return version.startsWith('~');
}

/** Suggests project and version from an archive's or folder's name; undefined when the name is ambiguous. */
export function suggestedNames(fileName) {
  const archive = /^(.+)-docs\.zip$/i.exec(fileName);
  const split = splitName(archive?.[1] ?? fileName.replace(/\.zip$/i, ''));
  return archive !== null || /^(?:v?\d|~)/.test(split?.version ?? '') ? split : undefined;
}

/** Names of folders that builders write: no project is called so. */
const OUTPUT_FOLDERS = /^(?:_?build|_?site|dist|docs?|html|out|output|public|target|www)$/i;

/** Suggests names for a folder: like an archive's, else its own name as the project. */
export function suggestedFolderNames(folder) {
  const names = suggestedNames(folder);
  if (names !== undefined || OUTPUT_FOLDERS.test(folder)) return names;
  const project = folder.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[._-]+|[._-]+$/g, '');
  return project === '' ? undefined : { project };
}

/** Returns what is wrong with a project's name as a sentence; undefined when the server takes it. */
export function projectFault(project) {
  if (project.length > 100) return 'A project has at most 100 characters';
  if (/[^A-Za-z0-9._-]/.test(project))
    return 'A project has letters from a to z, digits, “.”, “_” and “-” only';
  if (/^[._-]|[._-]$/.test(project)) return 'A project begins and ends with a letter or a digit';
  return undefined;
}

/** Returns what is wrong with a version as a sentence; undefined when the server takes it. */
export function versionFault(version) {
  if (isPreview(version)) return previewFault(version.slice(1));
  if (version.length > 100) return 'A version has at most 100 characters';
  if (/[^A-Za-z0-9._+-]/.test(version)) {
    const instead = version.replace(/[^A-Za-z0-9._+-]+/g, '-');
    return `A version has letters from a to z, digits, “.”, “_”, “+” and “-” only: perhaps ${instead}`;
  }
  if (/^[._+-]/.test(version)) return 'A version begins with a letter or a digit';
  if (/^latest$/i.test(version))
    return '“latest” is what the newest version is found under; name the version itself';
  return undefined;
}

function previewFault(name) {
  if (name.length > 100) return 'A preview has at most 100 characters';
  if (/[^A-Za-z0-9._-]/.test(name)) {
    const instead = name.replace(/[^A-Za-z0-9._-]+/g, '-');
    return `A preview has letters from a to z, digits, “.”, “_” and “-” only: perhaps ~${instead}`;
  }
  if (!/^[A-Za-z0-9](?:.*[A-Za-z0-9])?$/.test(name))
    return 'A preview begins and ends with a letter or a digit';
  return /(?:^|-)docs\.zip$/i.test(name) ? 'A preview does not end with “-docs.zip”' : undefined;
}
