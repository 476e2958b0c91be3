import { LRUCache } from 'lru-cache';
import type { Text } from './send-text.js';

/** A text and what it shows: a revision, or an immutable object that is another one when it changes. */
interface Entry<T> {
  readonly shown: string | object;
  readonly text: T;
}

/**
 * LRU cache, bounded in bytes, of texts that the server makes itself: pages about projects, lists of files and versions.
 * A text is made once for all who wait for it, also when it is too large to be kept.
 */
export class TextCache {
  private readonly kept: LRUCache<string, Entry<Text>>;
  private readonly making = new Map<string, Entry<Promise<Text>>>();

  /** @param maxBytes 0 keeps nothing */
  constructor(maxBytes: number) {
    this.kept = new LRUCache({
      maxSize: Math.max(maxBytes, 1),
      sizeCalculation: ({ text }) => text.maxBytes,
    });
  }

  /** Memory that the texts take, in bytes. */
  get bytes(): number {
    return this.kept.calculatedSize;
  }

  /**
   * @param key names the text, whatever it shows: only the last one made for a key is kept
   * @param make when it fails, everybody who waits is told, and nothing is kept
   * @param maxAgeMs for what may change while `shown` stays the same
   */
  async get<T extends Text>(
    key: string,
    shown: string | object,
    make: () => T | Promise<T>,
    maxAgeMs?: number,
  ): Promise<T> {
    const kept = this.kept.get(key);
    if (kept?.shown === shown) return kept.text as T;
    const running = this.making.get(key);
    if (running?.shown === shown) return running.text as Promise<T>;
    const text = this.make(key, shown, make, maxAgeMs);
    this.making.set(key, { shown, text });
    return text;
  }

  private async make<T extends Text>(
    key: string,
    shown: string | object,
    make: () => T | Promise<T>,
    ttl: number | undefined,
  ): Promise<T> {
    try {
      // In a later turn: the making is noted before it ends.
      await undefined;
      const text = await make();
      this.kept.set(key, { shown, text }, ttl === undefined ? {} : { ttl });
      return text;
    } finally {
      if (this.making.get(key)?.shown === shown) this.making.delete(key);
    }
  }
}
