import type { Archives } from '../../../application/index.js';

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
