import { LRUCache } from 'lru-cache';

/**
 * LRU cache in memory of everything that is sent again: responses with pages of sites, and generated texts. Bounded in
 * bytes (`--cache-size`): whoever sets an entry says its `size`.
 */
export type ResponseCache = LRUCache<string, object>;

/** @returns undefined when nothing is to be cached: `maxBytes` is 0 */
export function responseCache(maxBytes: number): ResponseCache | undefined {
  return maxBytes === 0 ? undefined : new LRUCache({ maxSize: maxBytes });
}
