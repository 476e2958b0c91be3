import type { Readable } from 'node:stream';
import { StoreUnavailable } from './store-errors.js';

/** What a body needs to know of its request. */
export interface BodyOptions {
  /** The request, for messages. */
  readonly what: string;
  /** Bytes that the store announced. */
  readonly length: number;
  /** Longest time to wait for the next bytes. */
  readonly idleMs: number;
  /** The reason if the reader has ended the request. */
  readonly aborted: () => { readonly reason: unknown } | undefined;
  /** Called once, when the body has ended in whatever way. */
  readonly onEnd: () => void;
}

/** The body of an answer: throws unless it has exactly as many bytes as announced, and none comes too late. */
export class ReceivedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: Readable;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #options: BodyOptions;
  #received = 0;
  #ended = false;

  constructor(source: Readable, options: BodyOptions) {
    this.#source = source;
    this.#chunks = source[Symbol.asyncIterator]();
    this.#options = options;
    // Nobody reads it yet: what goes wrong until then is told by `next`.
    source.on('error', () => {});
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#ended) return { done: true, value: undefined };
    const { what, length, idleMs } = this.#options;
    // Only while somebody waits: a slow reader is no slow store.
    const timer = setTimeout(
      () => this.#source.destroy(new Error(`no bytes for ${idleMs / 1000} seconds`)),
      idleMs,
    );
    try {
      const next = await this.#chunks.next();
      if (next.done !== true) this.#received += next.value.length;
      if (next.done === true ? this.#received < length : this.#received > length) {
        throw new Error(`${this.#received} bytes instead of ${length}`);
      }
      if (next.done === true) this.#end();
      return next;
    } catch (error) {
      this.#end();
      const aborted = this.#options.aborted();
      if (aborted !== undefined) throw aborted.reason;
      throw new StoreUnavailable(`the store cut its answer: ${(error as Error).message} (${what})`);
    } finally {
      clearTimeout(timer);
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#end();
    return { done: true, value: undefined };
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#source.destroy();
    this.#options.onEnd();
  }
}
