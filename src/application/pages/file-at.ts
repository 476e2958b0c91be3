import { SitePath, type Version } from '../../domain/index.js';
import type { Sites, StoredFile } from '../ports/doc-store.js';

/** Opens a file of a site by its path there; undefined for a directory, and where nothing is. */
export async function fileAt(
  docs: Pick<Sites, 'open'>,
  version: Version,
  path: string,
): Promise<StoredFile | undefined> {
  const checked = SitePath.of(path);
  const entry = checked && (await docs.open(version, checked));
  return entry?.kind === 'file' ? entry.file : undefined;
}
