/** Project and label of a version, or of a preview. Parsing the directory name gives the same pair again. */
export interface VersionId {
  readonly project: string;
  readonly label: string;
  /** `<project>-<label>`; of a preview, `<project>~<label>`. */
  readonly directoryName: string;
}

/** The grammar of semver.org 2.0.0 with an optional `v`. node-semver refuses numbers past 2^53, such as timestamps. */
export const SEMANTIC =
  /^v?((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2})(?:-((?:0|[1-9]\d*|\d*[a-z-][\da-z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-z-][\da-z-]*))*))?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/i;

/** Returns whether the label is a full semantic version (semver.org 2.0.0), with or without a leading `v`. */
export function isSemantic(label: string): boolean {
  return !label.startsWith('V') && SEMANTIC.test(label);
}
