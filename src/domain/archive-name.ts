import { quote, refuse } from './refusal.js';
import { isSemantic } from './version.js';

const SUFFIX = '-docs.zip';
const MAX_FILE_NAME_BYTES = 200;
const PROJECT = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;
/** Max. characters: 100 for the project, a hyphen, 100 for the label. Longer names are not parsed. */
const MAX_DIRECTORY_NAME = 201;
const LABEL = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/;
const utf8 = new TextEncoder();

/** Project and label of a version. Parsing `<project>-<label>` gives the same pair again. */
export interface VersionId {
  readonly project: string;
  readonly label: string;
  /** `<project>-<label>`. */
  readonly directoryName: string;
}

/**
 * Parses the name of an uploaded file (contract section 2). Directories before the name, with `/` or `\`, are ignored.
 * @throws Refusal `invalid_filename` with the problem and the expected form
 */
export function parseArchiveName(fileName: string): VersionId {
  const baseName = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  if (utf8.encode(baseName).length > MAX_FILE_NAME_BYTES) {
    throw refuse.invalidFilename(baseName, `is longer than ${MAX_FILE_NAME_BYTES} bytes`);
  }
  if (!baseName.endsWith(SUFFIX)) throw refuse.invalidFilename(baseName, `does not end with '${SUFFIX}'`);
  const split = splitDirectoryName(baseName.slice(0, -SUFFIX.length));
  if (split === undefined) throw refuse.invalidFilename(baseName, "has no '-' between project and version");
  const problem = problemOf(split);
  if (problem !== undefined) throw refuse.invalidFilename(baseName, problem);
  return split;
}

/** Parses the name of a stored directory; undefined when it is no version's name. */
export function parseDirectoryName(directoryName: string): VersionId | undefined {
  const split = splitDirectoryName(directoryName);
  return split !== undefined && problemOf(split) === undefined ? split : undefined;
}

/**
 * Returns whether a copied-in directory is a version: its name splits by rule 1 or 2 of contract section 2.
 * `my-notes` and `lost+found` are ignored.
 */
export function isCopiedInName(directoryName: string): boolean {
  const id = parseDirectoryName(directoryName);
  return id !== undefined && /^v?\d/.test(id.label);
}

/**
 * Returns the version for the two components of an API path, or undefined when joining and parsing gives others:
 * `a` and `b-1.0` name no version, since `a-b-1.0` is version `1.0` of `a-b`.
 */
export function versionIdOf(project: string, label: string): VersionId | undefined {
  const id = parseDirectoryName(`${project}-${label}`);
  return id?.project === project && id.label === label ? id : undefined;
}

/** Returns the reason why `versionIdOf` gives undefined, for people, and a name to use instead where there is one. */
export function whyNoVersionId(project: string, label: string): string {
  const [strayInProject] = /[^A-Za-z0-9._-]/u.exec(project) ?? [];
  if (strayInProject !== undefined) {
    const use = nameLike(project, (name) => PROJECT.test(name));
    return `a project may not contain ${quote(strayInProject)}${use}`;
  }
  const use = nameLike(label, (name) => versionIdOf(project, name) !== undefined);
  const [strayInLabel] = /[^A-Za-z0-9._+-]/u.exec(label) ?? [];
  if (strayInLabel !== undefined) return `a version may not contain ${quote(strayInLabel)}${use}`;
  const directoryName = `${project}-${label}`;
  const split = splitDirectoryName(directoryName);
  if (split === undefined) return `its name is longer than ${MAX_DIRECTORY_NAME} characters`;
  const problem = problemOf({ project, label, directoryName }) ?? problemOf(split);
  if (problem !== undefined) return `its name ${problem}`;
  return `its name would be read back as version ${quote(split.label)} of ${quote(split.project)}${use}`;
}

/** Suggests a name with `-` for all other characters, or with `_`, which never separates project and version. */
function nameLike(name: string, isValid: (name: string) => boolean): string {
  const dashed = name.replaceAll(/[^A-Za-z0-9._+-]+/g, '-').replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
  const found = [dashed, dashed.replaceAll('-', '_')].find(isValid);
  return found === undefined ? '' : `; use ${found}`;
}

/** Returns the file name of a version's archive: the inverse of `parseArchiveName`. */
export function archiveNameOf(directoryName: string): string {
  return `${directoryName}${SUFFIX}`;
}

/** Removes the archive suffix from a file name; undefined when the name ends differently. */
export function directoryNameOfArchive(fileName: string): string | undefined {
  return fileName.endsWith(SUFFIX) ? fileName.slice(0, -SUFFIX.length) : undefined;
}

/** Splits a name by the three rules of contract section 2, in order, at the leftmost hyphen that fits. */
function splitDirectoryName(name: string): VersionId | undefined {
  if (name.length > MAX_DIRECTORY_NAME) return undefined;
  const hyphens: number[] = [];
  for (let at = name.indexOf('-'); at !== -1; at = name.indexOf('-', at + 1)) hyphens.push(at);
  const at =
    hyphens.find((index) => isSemantic(name.slice(index + 1))) ??
    hyphens.find((index) => /^v?\d/.test(name.slice(index + 1, index + 3))) ??
    hyphens.at(-1);
  if (at === undefined) return undefined;
  return { project: name.slice(0, at), label: name.slice(at + 1), directoryName: name };
}

function problemOf({ project, label }: VersionId): string | undefined {
  if (project === '') return 'has no project before the version';
  if (!PROJECT.test(project)) {
    return "has a project that is not 1 to 100 letters, digits, '.', '_' or '-', with a letter or digit at both ends";
  }
  if (label === '') return 'has no version after the project';
  if (!LABEL.test(label)) {
    return "has a version that is not 1 to 100 letters, digits, '.', '_', '-' or '+', with a letter or digit first";
  }
  // `lib-2-latest` would be version `2-latest` of `lib` and also the alias of project `lib-2`.
  if (/(?:^|-)latest$/i.test(label)) return "ends with 'latest', which always means the newest version";
  // `<version>-docs.zip` is the address and the file name of that version's archive.
  if (/(?:^|-)docs\.zip$/i.test(label)) return `has a version that ends with '${SUFFIX}'`;
  return undefined;
}
