import { LRUCache } from 'lru-cache';
import type { Text } from './send-text.js';

/** A text, and the state that it shows: a revision, or an immutable object that is replaced on a change. */
interface Entry<T> {
  readonly shown: string | object;
  readonly text: T;
}

/**
 * LRU cache, bounded in bytes, of generated texts: pages about projects, lists of files and versions. Concurrent
 * requests share the making of a text, even of one too large to be cached.
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
   * @param key key of the text, whatever state it shows: only the last text of a key is cached
   * @param make on failure all waiting callers get the error, and nothing is cached
   * @param maxAgeMs for texts that may change while `shown` stays the same
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
      // In a later turn, so that `making` is set before it ends.
      await undefined;
      const text = await make();
      this.kept.set(key, { shown, text }, ttl === undefined ? {} : { ttl });
      return text;
    } finally {
      if (this.making.get(key)?.shown === shown) this.making.delete(key);
    }
  }
}
