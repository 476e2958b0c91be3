import { SitePath, type Version } from '../../domain/index.js';
import { READING_LIMITS } from '../../formats/html/reading-limits.js';
import { samplePaths } from '../../formats/html/site-conventions.js';
import type { DocStore } from '../ports/doc-store.js';
import type { SearchableSite, SitePage } from '../ports/search-index.js';

/** Max. files of a site that are looked at. */
const MAX_FILES = 200_000;
/** `guide.html`, `guide.xhtml`, and `guide.html.pt-br` as Apache names translations. */
const PAGE = /\.x?html?(?:\.[a-z]{2}(?:-[a-z]+)?)?$/i;

/** The pages of a published version, as an index reads them. */
export function searchableSite(docs: Pick<DocStore, 'listFiles' | 'open'>, version: Version): SearchableSite {
  const listed = docs
    .listFiles(version, MAX_FILES)
    .then(({ paths }) => paths.filter((path) => PAGE.test(path)));
  // Whoever reads the pages is told.
  listed.catch(() => {});
  async function* read(paths: readonly string[]): AsyncGenerator<SitePage> {
    for (const path of paths) {
      const bytes = await readPageOf(docs, version, path);
      if (bytes !== undefined) yield { path, bytes };
    }
  }
  return {
    async *sample() {
      yield* read(samplePaths(await listed));
    },
    async *pages() {
      yield* read(await listed);
    },
  };
}

/** The beginning of a page, as much as is read of it. */
async function readPageOf(
  docs: Pick<DocStore, 'open'>,
  version: Version,
  path: string,
): Promise<Uint8Array | undefined> {
  const sitePath = SitePath.of(path);
  const entry = sitePath === undefined ? undefined : await docs.open(version, sitePath);
  if (entry?.kind !== 'file') return undefined;
  const bytes = new Uint8Array(Math.min(entry.file.size, READING_LIMITS.bytes));
  let at = 0;
  for await (const chunk of entry.file.stream()) {
    bytes.set(chunk.subarray(0, bytes.length - at), at);
    at += chunk.length;
    if (at >= bytes.length) break;
  }
  return bytes;
}
