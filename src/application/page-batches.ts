import type { Version } from '../domain/index.js';
import type { SitePage } from './ports/search-index.js';
import type { Sites } from './ports/sites.js';
import { bytesOf, fileAt } from './site-files.js';

/** Max. pages that are read at once, and max. bytes of them. */
const MAX_PAGES = 32;
const MAX_BYTES = 8_000_000;
/** Max. bytes of a page. Larger pages are not read. */
const MAX_PAGE_BYTES = 10_000_000;

/** Reads pages in batches. Pages that cannot be read are left out. @param read by default, pages that are too large are left out */
export async function* pagesInBatches(
  docs: Pick<Sites, 'open'>,
  version: Version,
  paths: readonly string[],
  read = readWhole,
): AsyncGenerator<readonly SitePage[]> {
  let batch: SitePage[] = [];
  let size = 0;
  for (const path of paths) {
    const page = await read(docs, version, path);
    if (page === undefined) continue;
    batch.push(page);
    size += page.bytes.length;
    if (batch.length < MAX_PAGES && size < MAX_BYTES) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Reads a page; undefined when it is too large, or not there. */
export async function readWhole(
  docs: Pick<Sites, 'open'>,
  version: Version,
  path: string,
): Promise<SitePage | undefined> {
  const file = await fileAt(docs, version, path);
  if (file === undefined) return undefined;
  if (file.size <= MAX_PAGE_BYTES) return { path, bytes: await bytesOf(file.stream()) };
  await file.close();
  return undefined;
}
