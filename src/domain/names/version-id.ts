/** Project and label of a version, or of a preview. Parsing the directory name gives the same pair again. */
export interface VersionId {
  readonly project: string;
  readonly label: string;
  /** `<project>-<label>`; of a preview, `<project>~<label>`. */
  readonly directoryName: string;
}
