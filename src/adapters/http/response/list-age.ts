import type { Version } from '../../../domain/index.js';

/** Max. age of a copied-in directory's cached list of files, in milliseconds: its files may change at any time. */
const MAX_COPIED_LIST_MS = 2_000;

/** Returns the max. age of a version's cached list of files, in milliseconds; 0: as long as its revision. */
export function listAgeOf({ origin }: Pick<Version, 'origin'>): number {
  return origin === 'copied' ? MAX_COPIED_LIST_MS : 0;
}
