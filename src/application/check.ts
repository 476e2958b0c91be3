/** Max. faults reported of one version, or of another part of a store. */
export const MAX_FAULTS = 10;

/** Result of checking one version, or another part of a store, such as its log. */
export interface Check {
  /** Directory name of the version, or what else was checked: `the log`. */
  readonly name: string;
  /** Versions checked so far, this one included; and all versions. */
  readonly done: number;
  readonly total: number;
  /** Differences, a sentence each; empty when there are none. */
  readonly faults: readonly string[];
  readonly isRepaired: boolean;
}
