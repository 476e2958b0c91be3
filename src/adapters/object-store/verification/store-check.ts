import type { Archives } from '../../../application/index.js';

/** Max. faults reported of one version, of the log, of the snapshot, or of archives without a commit. */
export const MAX_FAULTS = 10;

/** Result of checking one version, the log, or the snapshot. */
export interface StoreCheck {
  /** Directory name of the version; `the log`, `the snapshot` or `the archives` for what concerns these. */
  readonly name: string;
  /** Versions checked so far, this one included; and all versions. */
  readonly done: number;
  readonly total: number;
  /** Differences, a sentence each; empty when there are none. */
  readonly faults: readonly string[];
  readonly isRepaired: boolean;
}

export interface VerifyStoreOptions {
  readonly archives: Pick<Archives, 'index'>;
  /** Make indexes and the snapshot anew if they are missing or differ. Without it, nothing in the store is changed. */
  readonly repair: boolean;
  /** Local directory for one archive at a time. */
  readonly directory: string;
  /** Time of the check, in milliseconds since 1970; the present by default. */
  readonly now?: number;
  /** Ends the check early, with the signal's reason. */
  readonly signal?: AbortSignal;
}
