import { LruCache } from '../../../domain/index.js';

/** What is kept to be sent again: a response with a page of a site, or a generated text. */
export interface Cached {
  /** Memory that it takes at most, in bytes. */
  readonly maxBytes: number;
  /** Called when it is no longer cached, unless something else is cached by its key. */
  dropped?(): void;
}

/** LRU cache in memory of everything that is sent again, bounded in bytes (`--cache-size`). */
export type ResponseCache = LruCache<Cached>;

/** @returns undefined when nothing is to be cached: `maxBytes` is 0 */
export function responseCache(maxBytes: number): ResponseCache | undefined {
  if (maxBytes === 0) return undefined;
  return new LruCache<Cached>(
    maxBytes,
    // A key may have the revisions of all versions of a project.
    (cached, key) => cached.maxBytes + key.length,
    (cached) => cached.dropped?.(),
  );
}
