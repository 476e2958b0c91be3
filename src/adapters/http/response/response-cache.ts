import { LRUCache } from 'lru-cache';

/** What is kept to be sent again: a response with a page of a site, or a generated text. */
export interface Cached {
  /** Memory that it takes at most, in bytes. */
  readonly maxBytes: number;
  /** Called when it is no longer cached. */
  dropped?(): void;
}

/** LRU cache in memory of everything that is sent again, bounded in bytes (`--cache-size`). */
export type ResponseCache = LRUCache<string, Cached>;

/** @returns undefined when nothing is to be cached: `maxBytes` is 0 */
export function responseCache(maxBytes: number): ResponseCache | undefined {
  if (maxBytes === 0) return undefined;
  return new LRUCache({
    maxSize: maxBytes,
    // A key may have the revisions of all versions of a project.
    sizeCalculation: (cached: Cached, key) => cached.maxBytes + key.length,
    dispose: (cached) => cached.dropped?.(),
  });
}
