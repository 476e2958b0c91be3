import { quote, type Refusal } from '../refusal/refusal.js';
import { refuse } from '../refusal/refuse.js';
import {
  halvesOf,
  isPlainName,
  isPreview,
  isSemantic,
  nameLike,
  parsePreviewName,
  type VersionId,
  whyNoPreviewId,
  whyNoProject,
} from './version-id.js';

const SUFFIX = '-docs.zip';
const MAX_FILE_NAME_BYTES = 200;
/** Max. characters: 100 for the project, a hyphen, 100 for the label. Longer names are not parsed. */
const MAX_DIRECTORY_NAME = 201;
const LABEL = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/;
/** `LABEL` in words. */
const LABEL_RULE = "1 to 100 letters, digits, '.', '_', '-' or '+', with a letter or digit first";
/** `lib-2-latest` would be version `2-latest` of `lib` and also the alias of project `lib-2`. */
const ENDS_LIKE_ALIAS = /(?:^|-)latest$/i;
/** `<version>-docs.zip` is the address and the file name of that version's archive. */
const ENDS_LIKE_ARCHIVE = /(?:^|-)docs\.zip$/i;
const utf8 = new TextEncoder();

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
  const directoryName = baseName.slice(0, -SUFFIX.length);
  if (isPreview({ directoryName })) {
    const preview = parsePreviewName(directoryName);
    if (preview !== undefined) return preview;
    throw refuse.invalidPreviewFilename(baseName, whyNoPreviewId(...halvesOf(directoryName)));
  }
  const split = splitDirectoryName(directoryName);
  if (split === undefined) {
    const why = "has no '-' between project and version";
    throw previewWithSlash(fileName) ?? refuse.invalidFilename(baseName, why);
  }
  const why = whyNoVersionId(split.project, split.label);
  if (why !== '') throw refuse.invalidFilename(baseName, `is refused: ${why}`);
  return split;
}

/** Returns the refusal of a preview whose name has a `/`, as that of a branch may: `my-site~feature/login-docs.zip`. */
function previewWithSlash(fileName: string): Refusal | undefined {
  const [, whole = ''] = /(?:^|[/\\])([^~/\\]+~[^~]+)$/.exec(fileName) ?? [];
  if (whole === '') return undefined;
  return refuse.invalidPreviewFilename(whole, whyNoPreviewId(...halvesOf(whole.slice(0, -SUFFIX.length))));
}

/** Parses the name of a stored directory; undefined when it is the name of no version and no preview. */
export function parseDirectoryName(directoryName: string): VersionId | undefined {
  if (isPreview({ directoryName })) return parsePreviewName(directoryName);
  if (directoryName.length > MAX_DIRECTORY_NAME) return undefined;
  const split = splitDirectoryName(directoryName);
  return split !== undefined && isPlainName(split.project) && isLabel(split.label) ? split : undefined;
}

/** Returns whether a text can be the name of a project: it parses as one in front of a version. */
export function isProjectName(project: string): boolean {
  return parseDirectoryName(`${project}-1.0.0`)?.project === project;
}

/**
 * Returns whether a copied-in directory is a version: its name splits by rule 1 or 2 of contract section 2.
 * `my-notes` and `lost+found` are ignored.
 */
export function isCopiedInName(directoryName: string): boolean {
  const id = parseDirectoryName(directoryName);
  return id !== undefined && !isPreview(id) && /^v?\d/.test(id.label);
}

/**
 * Returns the version for the two components of an API path, or undefined when joining and parsing gives others:
 * `a` and `b-1.0` name no version, since `a-b-1.0` is version `1.0` of `a-b`.
 */
export function versionIdOf(project: string, label: string): VersionId | undefined {
  const id = parseDirectoryName(`${project}-${label}`);
  return id?.project === project && id.label === label ? id : undefined;
}

/** Returns the reason why `versionIdOf` gives undefined, for people; empty when it gives a version. */
export function whyNoVersionId(project: string, label: string): string {
  const why = whyNoProject(project) ?? whyNoLabel(project, label);
  if (why !== undefined) return why;
  const split = splitDirectoryName(`${project}-${label}`);
  if (split === undefined || split.label === label) return '';
  return `together they would be read back as version ${quote(split.label)} of ${quote(split.project)}${insteadOf(project, label)}`;
}

/**
 * Returns why a text cannot be a version of any project, for people, and one of this project to use instead where there
 * is one; undefined when it can.
 */
export function whyNoLabel(project: string, label: string): string | undefined {
  const [stray] = /[^A-Za-z0-9._+-]/u.exec(label) ?? [];
  if (stray !== undefined) return `a version may not contain ${quote(stray)}${insteadOf(project, label)}`;
  if (!LABEL.test(label)) return `a version has ${LABEL_RULE}${insteadOf(project, label)}`;
  if (ENDS_LIKE_ALIAS.test(label)) {
    return "a version may not end with 'latest', which always points to the newest version";
  }
  return ENDS_LIKE_ARCHIVE.test(label) ? `a version may not end with '${SUFFIX}'` : undefined;
}

function insteadOf(project: string, label: string): string {
  return nameLike(label, (name) => versionIdOf(project, name) !== undefined);
}

/** Returns the file name of a version's archive: the inverse of `parseArchiveName`. */
export function archiveNameOf(directoryName: string): string {
  return `${directoryName}${SUFFIX}`;
}

/** Removes the archive suffix from a file name; undefined when the name ends differently. */
export function directoryNameOfArchive(fileName: string): string | undefined {
  return fileName.endsWith(SUFFIX) ? fileName.slice(0, -SUFFIX.length) : undefined;
}

/**
 * Splits a name by the three rules of contract section 2, in order, at the leftmost hyphen that fits; undefined when it has
 * none. Neither half need be valid.
 */
export function splitDirectoryName(name: string): VersionId | undefined {
  const hyphens: number[] = [];
  for (let at = name.indexOf('-'); at !== -1; at = name.indexOf('-', at + 1)) hyphens.push(at);
  const at =
    hyphens.find((index) => isSemantic(name.slice(index + 1))) ??
    hyphens.find((index) => /^v?\d/.test(name.slice(index + 1, index + 3))) ??
    hyphens.at(-1);
  if (at === undefined) return undefined;
  return { project: name.slice(0, at), label: name.slice(at + 1), directoryName: name };
}

function isLabel(label: string): boolean {
  return LABEL.test(label) && !ENDS_LIKE_ALIAS.test(label) && !ENDS_LIKE_ARCHIVE.test(label);
}
