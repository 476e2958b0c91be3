import { LRUCache } from 'lru-cache';
import type { Text } from './send-text.js';

/** A cache of texts, as those see it who send them. */
export type Texts = Pick<TextCache, 'get'>;

/** Makes a text that is not cached. */
export type MakeText = () => Text | Promise<Text>;

/**
 * LRU cache, bounded in bytes, of generated texts: pages about projects, lists of files and versions. Concurrent
 * requests share the making of a text, even of one too large to be cached.
 */
export class TextCache {
  private readonly kept: LRUCache<string, Text, MakeText>;

  /** @param maxBytes 0 keeps nothing */
  constructor(maxBytes: number) {
    this.kept = new LRUCache({
      maxSize: Math.max(maxBytes, 1),
      // A key has the revisions of all versions of a project.
      sizeCalculation: ({ maxBytes }, key) => maxBytes + key.length,
      fetchMethod: (_key, _stale, { context: make }) => make(),
      // Texts that are being made displace none, and reach those who wait for them in any case.
      backgroundFetchSize: 0,
      ignoreFetchAbort: true,
    });
  }

  /** Memory that the texts take, in bytes. */
  get bytes(): number {
    return this.kept.calculatedSize;
  }

  /**
   * @param key never used again for another text: it has the revision that the text shows
   * @param make on failure all waiting callers get the error, and nothing is cached
   * @param ttl max. age in milliseconds, for texts that may change although their key does not; 0 for all others
   */
  get(key: string, make: MakeText, ttl = 0): Promise<Text> {
    return this.kept.forceFetch(key, { context: make, ttl });
  }
}
