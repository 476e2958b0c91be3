import { RecentlyUsed } from '../domain/index.js';
import type { ArchiveIndex } from '../formats/index.js';

/** Max. files in the cached indexes: some 110 bytes each, so 20 MB. */
const MAX_FILES = 200_000;

/** Cache of the indexes of archives. */
export function archiveIndexes(): RecentlyUsed<ArchiveIndex> {
  return new RecentlyUsed(MAX_FILES, ({ size }) => 1 + size);
}
