import { MAX_FAULTS } from '../../../application/index.js';
import type { ObjectClient } from '../client/object-client.js';
import { PREFIXES, revisionOfKey } from '../keys.js';

/** Age at which an archive without a commit is no upload under way, in milliseconds: the commit follows within seconds. */
const YOUNG_MS = 60 * 60 * 1000;

/**
 * Looks for archives that no commit names: of uploads that broke off, or of versions whose commit is lost.
 * @param isNamed whether a commit names a revision
 * @param now in milliseconds since 1970
 * @returns a sentence for each
 */
export async function unnamedArchives(
  client: ObjectClient,
  isNamed: (revision: string) => boolean,
  now: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key, size, modifiedAt } of client.list(PREFIXES.archives)) {
    const revision = revisionOfKey(key);
    if (revision === undefined || isNamed(revision) || modifiedAt.getTime() > now - YOUNG_MS) continue;
    found.push(`no commit names ${key} (${size} bytes, ${modifiedAt.toISOString()})`);
  }
  const more = found.length - MAX_FAULTS;
  return more > 0 ? [...found.slice(0, MAX_FAULTS), `and ${more} more`] : found;
}
