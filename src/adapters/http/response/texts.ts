import { createHash } from 'node:crypto';
import { SharedWork } from '../../../application/index.js';
import type { LruCache, Version } from '../../../domain/index.js';
import { gzipped } from './bodies.js';

/** Generated text in UTF-8: hashed and compressed once, however often it is sent. */
export class Text {
  readonly bytes: Buffer;
  readonly hash: string;
  private compressing: Promise<Buffer> | undefined;

  /** @param headers sent with the full text, not with a 304 */
  constructor(
    text: string | Buffer,
    readonly type: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    this.bytes = typeof text === 'string' ? Buffer.from(text) : text;
    this.hash = createHash('sha256').update(this.bytes).digest('base64url').slice(0, 32);
  }

  static json(value: unknown): Text {
    return new Text(JSON.stringify(value), 'application/json; charset=utf-8');
  }

  /** Estimated memory in bytes, with the compressed form. */
  get maxBytes(): number {
    return Math.ceil(this.bytes.length * 1.5) + 1_000;
  }

  /** The text as gzip, compressed on Node's thread pool. */
  gzip(): Promise<Buffer> {
    this.compressing ??= gzipped(this.bytes);
    return this.compressing;
  }
}

/** A thing that is kept to be sent again: an answer with a page of a site, or a generated text. */
export interface Cached {
  /** Memory that it takes at most, in bytes. */
  readonly maxBytes: number;
  /** Called when it is no longer cached, unless something else is cached by its key. */
  dropped?(): void;
}

/** LRU cache in memory of everything that is sent again, bounded in bytes (`--cache-size`). */
export type ResponseCache = LruCache<Cached>;

/** A cache of texts, as handlers use it. */
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

/**
 * Queue of texts that take long to make, such as the results of a search among thousands of projects: one is made in each
 * turn of the event loop. Other requests wait for one of them at most, however many are asked for.
 */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Waits for earlier texts, and for answers to requests that arrived meanwhile. The turn is the synchronous code after it. */
  next(): Promise<void> {
    this.last = this.last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.last;
  }
}

const numbers = new WeakMap<object, number>();
let last = 0;

/**
 * Returns the number of an immutable object, such as the array of all projects in one state of the catalogue: the same
 * one each time, and no other object's. For keys.
 */
export function stateNumber(state: object): number {
  let number = numbers.get(state);
  if (number === undefined) {
    last += 1;
    number = last;
    numbers.set(state, number);
  }
  return number;
}

/** Max. age of a copied-in directory's cached list of files, in milliseconds: its files may change at any time. */
const MAX_COPIED_LIST_MS = 2_000;

/** Returns the max. age of a version's cached list of files, in milliseconds; 0: as long as its revision. */
export function listAgeOf({ origin }: Pick<Version, 'origin'>): number {
  return origin === 'copied' ? MAX_COPIED_LIST_MS : 0;
}
