import type { ResponseCache } from './response-cache.js';
import { Text } from './send-text.js';

/** A cache of texts, as those see it who send them. */
export type Texts = Pick<TextCache, 'get'>;

/** Makes a text that is not cached. */
export type MakeText = () => Text | Promise<Text>;

/**
 * Cached generated texts: lists of projects, pages about projects, lists of files and versions. Concurrent requests share
 * the making of a text, even of one too large to be cached.
 */
export class TextCache {
  private readonly making = new Map<string, Promise<Text>>();

  /** @param cache undefined keeps nothing */
  constructor(private readonly cache: ResponseCache | undefined) {}

  /**
   * @param key never used again for another text: it has the revision that the text shows, or a `stateNumber`
   * @param make on failure all waiting callers get the error, and nothing is cached
   * @param ttl max. age in milliseconds, for texts that may change although their key does not; 0 for all others
   */
  async get(key: string, make: MakeText, ttl = 0): Promise<Text> {
    const cached = this.cache?.get(key);
    if (cached instanceof Text) return cached;
    let making = this.making.get(key);
    if (making === undefined) {
      making = this.made(key, make, ttl).finally(() => this.making.delete(key));
      this.making.set(key, making);
    }
    return making;
  }

  private async made(key: string, make: MakeText, ttl: number): Promise<Text> {
    const text = await make();
    this.cache?.set(key, text, { ttl });
    return text;
  }
}
