import { SharedWork } from '../../../application/index.js';
import type { Cached, ResponseCache } from './response-cache.js';
import type { Text } from './send-text.js';

/** A cache of texts, as those see it who send them. */
export type Texts = Pick<TextCache, 'get'>;

/** Makes a text that is not cached. The signal is aborted when nobody waits for it any more. */
export type MakeText = (signal: AbortSignal) => Text | Promise<Text>;

/**
 * Cached generated texts: lists of projects, pages about projects, lists of files and versions. Concurrent requests share
 * the making of a text, even of one too large to be cached.
 */
export class TextCache {
  private readonly making = new SharedWork<Text>();

  /** @param cache undefined keeps nothing */
  constructor(private readonly cache: ResponseCache | undefined) {}

  /**
   * @param key never used again for another text: it has the revision that the text shows, or a `stateNumber`
   * @param make on failure all waiting callers get the error, and nothing is cached
   * @param ttl max. age in milliseconds, for texts that may change although their key does not; 0 for all others
   * @param signal ends waiting
   */
  async get(key: string, make: MakeText, ttl = 0, signal?: AbortSignal): Promise<Text> {
    const cached = this.cache?.get(key);
    if (cached instanceof CachedText && performance.now() <= cached.expires) return cached.text;
    return this.making.of(key, signal, (stillAsked) => this.made(key, () => make(stillAsked), ttl));
  }

  private async made(key: string, make: () => Text | Promise<Text>, ttl: number): Promise<Text> {
    const text = await make();
    this.cache?.set(key, new CachedText(text, ttl === 0 ? Infinity : performance.now() + ttl));
    return text;
  }
}

class CachedText implements Cached {
  readonly maxBytes: number;

  /** @param expires on the clock of `performance.now()` */
  constructor(
    readonly text: Text,
    readonly expires: number,
  ) {
    this.maxBytes = text.maxBytes;
  }
}
