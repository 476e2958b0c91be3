import { bytesOfText, LruCache, type Version } from '../../domain/index.js';
import { KeyedMutex } from '../concurrency.js';
import type { PageComparison, PageDigest } from '../ports/page-comparison.js';
import type { SitePage } from '../ports/search-index.js';
import type { Sites } from '../ports/sites.js';
import type { Waiter } from '../ports/waiter.js';
import { bytesOf, fileAt, textOf } from '../site-files.js';

/** Name of the derived file. The number changes whenever pages are read in another way. */
const FILE = 'page-digests-2';
/** Max. pages that are read at once, and max. bytes of them. */
const MAX_BATCH_PAGES = 32;
const MAX_BATCH_BYTES = 8_000_000;
/** Max. bytes of a page. Of larger ones nothing is known. */
const MAX_PAGE_BYTES = 10_000_000;
/** Max. bytes of digests in memory: some 2 MB for 10,000 pages. */
const MAX_BYTES = 32_000_000;

/** Of a page that cannot be read. */
const UNREAD: PageDigest = { hash: '', title: '' };

type Digests = ReadonlyMap<string, PageDigest>;

/** Digests of pages, by path. They are computed once for each publication, and kept with it. */
export class PageDigests {
  /** By revision. */
  private readonly kept = new LruCache<Digests>(MAX_BYTES, weightOf);
  /** By revision: one reading after the other, so that no page is read twice. */
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly docs: Pick<Sites, 'open' | 'derived'>,
    private readonly comparison: Pick<PageComparison, 'digests'>,
  ) {}

  /** Returns the digests of at least these pages. A page that is too large, or no longer there, has an empty hash. */
  of(version: Version, paths: readonly string[], waiter?: Waiter): Promise<Digests> {
    // Pages of a copied-in directory may change at any time.
    if (version.origin === 'copied') return this.read(version, paths, new Map(), waiter);
    return this.mutex.run(version.revision, () => this.completed(version, paths, waiter));
  }

  private async completed(version: Version, paths: readonly string[], waiter?: Waiter): Promise<Digests> {
    const { revision } = version;
    const known = this.kept.get(revision) ?? (await this.stored(revision));
    const missing = paths.filter((path) => !known.has(path));
    const digests = missing.length === 0 ? known : await this.read(version, missing, known, waiter);
    this.kept.set(revision, digests);
    if (digests !== known) await this.store(revision, digests);
    return digests;
  }

  private async read(
    version: Version,
    paths: readonly string[],
    known: Digests,
    waiter?: Waiter,
  ): Promise<Digests> {
    const digests = new Map(known);
    for await (const batch of this.batches(version, paths, digests)) {
      const found = await this.comparison.digests(batch, waiter);
      for (const [index, { path }] of batch.entries()) digests.set(path, found[index] ?? UNREAD);
    }
    return digests;
  }

  /** Reads pages in batches. Those that cannot be read get an empty hash. */
  private async *batches(
    version: Version,
    paths: readonly string[],
    digests: Map<string, PageDigest>,
  ): AsyncGenerator<readonly SitePage[]> {
    let batch: SitePage[] = [];
    let size = 0;
    for (const path of paths) {
      const page = await readWhole(this.docs, version, path);
      digests.set(path, UNREAD);
      if (page === undefined) continue;
      batch.push(page);
      size += page.bytes.length;
      if (batch.length < MAX_BATCH_PAGES && size < MAX_BATCH_BYTES) continue;
      yield batch;
      batch = [];
      size = 0;
    }
    if (batch.length > 0) yield batch;
  }

  private async stored(revision: string): Promise<Digests> {
    const file = await this.docs.derived.open(revision, FILE);
    if (file === undefined) return new Map();
    const text = await textOf(file.stream());
    try {
      return new Map(JSON.parse(text) as [string, PageDigest][]);
    } catch {
      // Damaged: made again.
      return new Map();
    }
  }

  /** A store that cannot be written to computes them again after the next start. */
  private async store(revision: string, digests: Digests): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify([...digests]));
    const content = async function* () {
      yield bytes;
    };
    await this.docs.derived.write(revision, FILE, content()).catch(() => {});
  }
}

function weightOf(digests: Digests): number {
  let bytes = 0;
  for (const [path, { hash, title }] of digests) {
    bytes += 80 + bytesOfText(path) + bytesOfText(hash) + bytesOfText(title);
  }
  return bytes;
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
