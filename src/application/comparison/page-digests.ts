import { bytesOfText, LruCache, type Version } from '../../domain/index.js';
import { KeyedMutex } from '../concurrency.js';
import { pagesInBatches } from '../page-batches.js';
import type { PageComparison, PageDigest } from '../ports/page-comparison.js';
import type { Sites } from '../ports/sites.js';
import type { Waiter } from '../ports/waiter.js';
import { textOf } from '../site-files.js';

/** Name of the derived file. The number changes whenever pages are read in another way. */
const FILE = 'page-digests-2';
/** Max. bytes of digests in memory: some 2 MB for 10,000 pages. */
const MAX_BYTES = 32_000_000;

/** Digest of a page that cannot be read. */
const UNREAD: PageDigest = { hash: '', title: '' };

type Digests = ReadonlyMap<string, PageDigest>;

/** Digests of pages, by path. They are computed once for each publication, and kept with it. */
export class PageDigests {
  /** Keyed by revision. */
  private readonly kept = new LruCache<Digests>(MAX_BYTES, weightOf);
  /** Keyed by revision: readings of a publication run one after the other, so that no page is read twice. */
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
    for (const path of paths) digests.set(path, UNREAD);
    for await (const batch of pagesInBatches(this.docs, version, paths)) {
      const found = await this.comparison.digests(batch, waiter);
      for (const [index, { path }] of batch.entries()) digests.set(path, found[index] ?? UNREAD);
    }
    return digests;
  }

  private async stored(revision: string): Promise<Digests> {
    const file = await this.docs.derived.open(revision, FILE);
    if (file === undefined) return new Map();
    const text = await textOf(file.stream());
    try {
      return new Map(JSON.parse(text) as [string, PageDigest][]);
    } catch {
      // Damaged: recomputed.
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
