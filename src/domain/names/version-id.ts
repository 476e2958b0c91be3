import { quote } from '../refusal/refusal.js';

/** Project and label of a version, or of a preview. Parsing the directory name gives the same pair again. */
export interface VersionId {
  readonly project: string;
  readonly label: string;
  /** `<project>-<label>`; of a preview, `<project>~<label>`. */
  readonly directoryName: string;
}

const PLAIN_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;
/** `PLAIN_NAME` in words. */
const PLAIN_NAME_RULE = "1 to 100 letters, digits, '.', '_' or '-', with a letter or digit at both ends";

/** The mark between project and name of a preview. No other name has it. */
const MARK = '~';

/** The grammar of semver.org 2.0.0 with an optional `v`. node-semver refuses numbers past 2^53, such as timestamps. */
export const SEMANTIC =
  /^v?((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2})(?:-((?:0|[1-9]\d*|\d*[a-z-][\da-z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-z-][\da-z-]*))*))?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/i;

/** Returns whether the label is a full semantic version (semver.org 2.0.0), with or without a leading `v`. */
export function isSemantic(label: string): boolean {
  return !label.startsWith('V') && SEMANTIC.test(label);
}

/** Returns whether a text can be the name of a project or of a preview (contract section 2). */
export function isPlainName(text: string): boolean {
  return PLAIN_NAME.test(text);
}

/**
 * Returns why a text cannot be the name of a project, for people, and a name to use instead where there is one; undefined
 * when it can.
 */
export function whyNoProject(project: string): string | undefined {
  return isPlainName(project) ? undefined : whyNotPlain('a project', project, isPlainName);
}

/**
 * Returns why a text is no plain name: `a project may not contain ' '; use my-site`.
 * @param isValid whether another text may be suggested
 */
export function whyNotPlain(what: string, text: string, isValid: (name: string) => boolean): string {
  const use = nameLike(text, isValid);
  const [stray] = /[^A-Za-z0-9._-]/u.exec(text) ?? [];
  return stray === undefined
    ? `${what} has ${PLAIN_NAME_RULE}${use}`
    : `${what} may not contain ${quote(stray)}${use}`;
}

/**
 * Suggests a name with `-` for all other characters, or with `_`, which never separates project and version, or without
 * the `+` of versions.
 */
export function nameLike(name: string, isValid: (name: string) => boolean): string {
  const dashed = name.replaceAll(/[^A-Za-z0-9._+-]+/g, '-').replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
  const found = [dashed, dashed.replaceAll('-', '_'), dashed.replaceAll('+', '-')].find(isValid);
  return found === undefined ? '' : `; use ${found}`;
}

/**
 * Returns whether a name is that of a preview: of a site that comes and goes beside the versions of its project, such
 * as that of a pull request. The `label` of a preview is its name.
 */
export function isPreview({ directoryName }: Pick<VersionId, 'directoryName'>): boolean {
  return directoryName.includes(MARK);
}

/** Returns the preview for its two names; undefined when one of them is invalid (contract section 2). */
export function previewIdOf(project: string, name: string): VersionId | undefined {
  const isValid = isPlainName(project) && isPreviewName(name);
  return isValid ? { project, label: name, directoryName: project + MARK + name } : undefined;
}

/** Parses `<project>~<name>`; undefined when it is no preview's. */
export function parsePreviewName(directoryName: string): VersionId | undefined {
  return previewIdOf(...halvesOf(directoryName));
}

/**
 * Returns the preview that was probably meant by the first version of a project: `my-site~pr-123` for version `123` of
 * `my-site-pr`, if there is a project `my-site`.
 */
export function previewMeantBy(
  { project, label }: VersionId,
  isProject: (name: string) => boolean,
): VersionId | undefined {
  const [, of = '', kind] = /^(.+)-(pr|mr|preview|pull-request|merge-request)$/i.exec(project) ?? [];
  const isMeant = kind !== undefined && /^\d+$/.test(label) && isProject(of);
  return isMeant ? previewIdOf(of, `${kind}-${label}`) : undefined;
}

/** Splits a text at its first `~`. The second half is empty when there is none. */
export function halvesOf(text: string): readonly [project: string, name: string] {
  const at = text.indexOf(MARK);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Returns the reason why `previewIdOf` gives undefined, for people; empty when it gives a preview. */
export function whyNoPreviewId(project: string, name: string): string {
  return whyNoProject(project) ?? whyNoPreviewName(name) ?? '';
}

/**
 * Returns why a text cannot be the name of a preview, for people, and a name to use instead where there is one; undefined
 * when it can.
 */
export function whyNoPreviewName(name: string): string | undefined {
  if (isPreviewName(name)) return undefined;
  return isPlainName(name)
    ? "a preview's name may not end with '-docs.zip'"
    : whyNotPlain("a preview's name", name, isPreviewName);
}

/** Returns the name of a version or preview for a sentence: `my-project 1.0.0`, `my-project~pr-123`. */
export function describeName(id: VersionId): string {
  return isPreview(id) ? id.directoryName : `${id.project} ${id.label}`;
}

function isPreviewName(name: string): boolean {
  // `<preview>-docs.zip` is the address and the file name of that preview's archive.
  return isPlainName(name) && !/(?:^|-)docs\.zip$/i.test(name);
}
