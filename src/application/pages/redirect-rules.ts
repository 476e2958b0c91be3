import {
  bytesOfEntry,
  LruCache,
  MAX_REDIRECTS_BYTES,
  parseRedirects,
  REDIRECTS_FILE,
  Redirects,
  redirectsTooLarge,
  type Version,
} from '../../domain/index.js';
import type { Sites, StoredFile } from '../ports/sites.js';
import { fileAt, textOf } from '../site-files.js';

/** Max. bytes in memory, of all versions: some 35,000 ordinary rules, or the largest file that there can be. */
const MAX_BYTES = 80_000_000;

/** The redirects of versions, read once for each publication. The least recently used are forgotten first. */
export class RedirectRules {
  private readonly kept = new LruCache<Redirects>(MAX_BYTES, ({ bytes }, key) => bytesOfEntry(key, bytes));

  constructor(private readonly docs: Pick<Sites, 'open'>) {}

  async of(version: Version): Promise<Redirects> {
    // Files of a copied-in directory may change at any time: their ETag is part of the key.
    const known = version.origin === 'upload' ? this.kept.get(version.revision) : undefined;
    if (known !== undefined) return known;
    const file = await fileAt(this.docs, version, REDIRECTS_FILE);
    const key = version.origin === 'upload' ? version.revision : `${version.revision} ${file?.etag ?? ''}`;
    const kept = this.kept.get(key);
    if (kept === undefined) return this.kept.set(key, file === undefined ? Redirects.none : await read(file));
    await file?.close();
    return kept;
  }
}

async function read(file: StoredFile): Promise<Redirects> {
  if (file.size > MAX_REDIRECTS_BYTES) {
    await file.close();
    return redirectsTooLarge();
  }
  return parseRedirects(await textOf(file.stream()));
}
