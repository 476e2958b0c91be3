import { bytesOfEntry, LruCache } from '../domain/index.js';
import type { ArchiveIndex } from '../formats/index.js';

/** Max. bytes of the cached indexes: some 250,000 files. */
const MAX_BYTES = 25_000_000;

/** Cache of the indexes of archives. */
export function archiveIndexes(): LruCache<ArchiveIndex> {
  return new LruCache(MAX_BYTES, ({ bytes }, key) => bytesOfEntry(key, bytes));
}
