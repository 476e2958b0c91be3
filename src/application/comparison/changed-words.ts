import { type CommonPage, LruCache, type Version } from '../../domain/index.js';
import { readWhole } from '../page-batches.js';
import type { ComparedBlock, PageComparison } from '../ports/page-comparison.js';
import type { Sites } from '../ports/sites.js';
import type { Waiter } from '../ports/waiter.js';

/** Time for the counts of one list, in milliseconds. */
const MAX_MS = 2_000;
/** Max. pages whose counts are in memory. */
const MAX_KEPT = 20_000;

/** Numbers of words. */
export interface WordCounts {
  readonly added: number;
  readonly removed: number;
}

/** Returns how many words were added and removed. */
export function changedWords(blocks: readonly ComparedBlock[]): WordCounts {
  const counts = { added: 0, removed: 0 };
  for (const { kind, text } of blocks.flatMap(({ parts }) => parts))
    if (kind !== 'same') counts[kind] += text.match(/\S+/g)?.length ?? 0;
  return counts;
}

/** Counts the changed words of pages, and remembers the counts. */
export class ChangedWords {
  /** Without counts for pages that are missing or too long: those are not compared again. */
  private readonly kept = new LruCache<{ readonly counts: WordCounts | undefined }>(MAX_KEPT);

  constructor(
    private readonly docs: Pick<Sites, 'open'>,
    private readonly comparison: Pick<PageComparison, 'difference'>,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /**
   * Returns the counts by path in the later version. Pages whose turn has not come within two seconds have none, as those that
   * are too long to compare; the next call goes on with them.
   * @throws Refusal `unavailable` when too much waits
   */
  async of(
    { before, after }: { readonly before: Version; readonly after: Version },
    pages: readonly CommonPage[],
    waiter?: Waiter,
  ): Promise<ReadonlyMap<string, WordCounts>> {
    const end = this.clock() + MAX_MS;
    const counts = new Map<string, WordCounts>();
    for (const page of pages) {
      const key = [before.revision, after.revision, page.before, page.after].join('\n');
      const known = this.kept.get(key);
      if (known === undefined && this.clock() >= end) continue;
      const found = known ?? { counts: await this.count(before, after, page, waiter) };
      this.kept.set(key, found);
      if (found.counts !== undefined) counts.set(page.after, found.counts);
    }
    return counts;
  }

  private async count(
    before: Version,
    after: Version,
    page: CommonPage,
    waiter?: Waiter,
  ): Promise<WordCounts | undefined> {
    const old = await readWhole(this.docs, before, page.before);
    const now = old && (await readWhole(this.docs, after, page.after));
    if (old === undefined || now === undefined) return undefined;
    const { blocks, isCut } = await this.comparison.difference(old, now, waiter);
    return isCut ? undefined : changedWords(blocks);
  }
}
