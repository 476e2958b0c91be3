import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { DEFAULT_CACHE_BYTES } from './page-cache.js';

/** The part of `--cache-size` that answers of the server's own may take; hosted pages have the rest. */
const SHARE = 1 / 8;

/** Bytes for answers of the server's own. */
export function writtenBytesOf(cacheBytes: number): number {
  return Math.floor(cacheBytes * SHARE);
}

/** An answer that is written once, then sent as often as it is asked for. */
export interface Kept {
  /** Bytes of memory that it takes, or may come to take: every form. */
  readonly weight: number;
  send(ctx: Context): Promise<void>;
}

interface Entry {
  /** What the answer shows. */
  readonly shown: object;
  readonly answer: Kept;
}

interface Making {
  readonly shown: object;
  readonly answer: Promise<Kept>;
}

/**
 * LRU cache, bounded in bytes, of answers that the server writes itself: project pages, lists of files and versions,
 * search results. An answer is made once for all who wait for it, also when it is too large to be kept.
 */
export class WrittenCache {
  private readonly entries: LRUCache<string, Entry>;
  private readonly making = new Map<string, Making>();

  constructor(maxBytes = writtenBytesOf(DEFAULT_CACHE_BYTES)) {
    this.entries = new LRUCache({
      maxSize: Math.max(maxBytes, 1),
      sizeCalculation: ({ answer }) => Math.ceil(answer.weight),
    });
  }

  /** Bytes of memory that the answers take now. */
  get bytes(): number {
    return this.entries.calculatedSize;
  }

  /**
   * @param key names the answer; only the last one made for a key is kept
   * @param shown what it shows: immutable, and another object when it changes
   * @param write makes the answer; when it fails, everybody who waits is told, and nothing is kept
   * @param maxAgeMs for what may change while `shown` stays the same
   */
  get(
    key: string,
    shown: object,
    write: () => Kept | Promise<Kept>,
    maxAgeMs?: number,
  ): Kept | Promise<Kept> {
    const entry = this.entries.get(key);
    if (entry?.shown === shown) return entry.answer;
    const running = this.making.get(key);
    if (running?.shown === shown) return running.answer;
    const made = this.make(key, shown, write, maxAgeMs);
    this.making.set(key, { shown, answer: made });
    return made;
  }

  private async make(
    key: string,
    shown: object,
    write: () => Kept | Promise<Kept>,
    ttl: number | undefined,
  ): Promise<Kept> {
    try {
      // After this turn: the making is noted before it ends.
      await undefined;
      const answer = await write();
      this.entries.set(key, { shown, answer }, ttl === undefined ? {} : { ttl });
      return answer;
    } finally {
      if (this.making.get(key)?.shown === shown) this.making.delete(key);
    }
  }
}
