import { isPage, type Version } from '../../domain/index.js';
import { BYTES_TO_READ } from '../../formats/html/reading-limits.js';
import { samplePaths } from '../../formats/html/text/site-conventions.js';
import { drawnSiteIn } from '../pages/drawn-pages.js';
import type { SearchableSite, SitePage } from '../ports/search-index.js';
import type { Sites } from '../ports/sites.js';
import { fileAt } from '../site-files.js';

/** Max. files of a site that are looked at. */
const MAX_FILES = 200_000;
const SITE_LIMITS: SiteLimits = { bytes: 4_000_000_000, milliseconds: 1_800_000 };
/** Bytes that most pages fit into. */
const FIRST_BYTES = 65_536;

/** Limits on reading one version, so that the others do not wait for ever. */
export interface SiteLimits {
  /** Bytes of HTML. */
  readonly bytes: number;
  /** Time from the first page on, in milliseconds. */
  readonly milliseconds: number;
}

/** The pages of a published version, within limits. */
export interface BoundedSite extends SearchableSite {
  /** Number of pages that were left out because a limit was reached. */
  readonly pagesLeftOut: number;
}

/**
 * The pages of a published version, as an index reads them: in the order of their paths, until a limit is reached. Each
 * page is cut to its first `BYTES_TO_READ` bytes. Files that pages are drawn from come first.
 * @param now milliseconds of a clock that never goes back
 */
export function searchableSite(
  docs: Pick<Sites, 'listFiles' | 'open'>,
  version: Version,
  limits: SiteLimits = SITE_LIMITS,
  now: () => number = () => performance.now(),
): BoundedSite {
  let pagesLeftOut = 0;
  const files = docs.listFiles(version, MAX_FILES).then(({ paths }) => paths);
  const listed = files.then((paths) => paths.filter(isPage));
  // Whoever reads the pages is told.
  listed.catch(() => {});
  const memory = new ReusedMemory();
  const bytesAt = async (path: string) => {
    const file = await fileAt(docs, version, path);
    return file && memory.read(file.stream(), BYTES_TO_READ);
  };
  return {
    get pagesLeftOut() {
      return pagesLeftOut;
    },
    async *sample() {
      for (const path of samplePaths(await listed)) {
        const bytes = await bytesAt(path);
        if (bytes !== undefined) yield { path, bytes };
      }
    },
    async *pages() {
      const hasFront = (await files).includes('index.html');
      const drawn = hasFront ? await drawnSiteIn(docs, version, () => files) : undefined;
      const pages: Omit<SitePage, 'bytes'>[] = [
        ...(drawn?.files.map((path) => ({ path, drawn: drawn.site })) ?? []),
        ...(await listed).map((path) => ({ path })),
      ];
      const end = now() + limits.milliseconds;
      let room = limits.bytes;
      for (const [at, page] of pages.entries()) {
        if (room <= 0 || now() >= end) {
          pagesLeftOut = pages.length - at;
          return;
        }
        const bytes = await bytesAt(page.path);
        room -= bytes?.length ?? 0;
        if (bytes !== undefined) yield { ...page, bytes };
      }
    },
  };
}

/**
 * Memory that streams are read into, one after the other. With new memory for each of thousands, V8 would mark its whole heap
 * again and again.
 */
export class ReusedMemory {
  private memory = new Uint8Array(FIRST_BYTES);

  /** The first `max` bytes of a stream. They are valid until the next stream is read. */
  async read(chunks: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array> {
    let length = 0;
    for await (const chunk of chunks) {
      const part = chunk.subarray(0, max - length);
      this.reserve(length + part.length);
      this.memory.set(part, length);
      length += part.length;
      if (length >= max) break;
    }
    return this.memory.subarray(0, length);
  }

  private reserve(bytes: number): void {
    if (bytes <= this.memory.length) return;
    const larger = new Uint8Array(Math.max(bytes, 2 * this.memory.length));
    larger.set(this.memory);
    this.memory = larger;
  }
}
