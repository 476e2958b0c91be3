import type { Readable } from 'node:stream';
import type { ByteRange } from '../../../application/index.js';
import type { StoredObject } from './object-client.js';
import type { Sdk } from './sdk.js';
import { StoreRefused, StoreUnavailable } from './store-errors.js';
import type { StoreRequests } from './store-requests.js';

/** `ObjectClient.get` with the SDK. */
export async function getObject(
  { commands, client, timeoutMs }: Sdk,
  requests: StoreRequests,
  key: string,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): Promise<StoredObject | undefined> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort, { once: true });
  const onEnd = () => {
    signal?.removeEventListener('abort', abort);
    requests.release(controller);
  };
  const input = {
    ...requests.object(key),
    ...(range !== undefined && { Range: `bytes=${range.start}-${range.end}` }),
  };
  const ask = async (abortSignal: AbortSignal) => {
    try {
      return await client.send(new commands.GetObjectCommand(input), { abortSignal });
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw error;
    }
  };
  try {
    const resultOf = (answer: unknown) => (answer === undefined ? 'missing' : 'ok');
    const answer = await requests.run('get', key, ask, resultOf, controller);
    if (answer === undefined) {
      onEnd();
      return undefined;
    }
    requests.hold(controller);
    const what = requests.describe('get', key);
    const length = answer.ContentLength ?? 0;
    const sent = partOf(answer.ContentRange);
    const body = new ReceivedBody(answer.Body as Readable, {
      what,
      length,
      idleMs: timeoutMs,
      aborted: () => (signal?.aborted ? { reason: signal.reason } : undefined),
      onEnd,
    });
    const problem = range === undefined ? undefined : problemWith(range, sent, length, what);
    if (problem !== undefined) {
      await body.return();
      throw problem;
    }
    const etag = (answer.ETag ?? '').replaceAll('"', '');
    return { size: sent?.whole ?? length, etag, body };
  } catch (error) {
    onEnd();
    throw signal?.aborted ? signal.reason : error;
  }
}

/** The part of an object that an answer has, and the bytes of the whole. */
function partOf(contentRange = '') {
  const [, start, end, whole] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange) ?? [];
  return start === undefined ? undefined : { start: Number(start), end: Number(end), whole: Number(whole) };
}

/**
 * Returns why an answer is not the requested range; undefined when it is. Without this check, a range that is too short, but
 * as long as it says, would seem whole.
 */
function problemWith(
  { start, end }: ByteRange,
  sent: ReturnType<typeof partOf>,
  length: number,
  what: string,
): StoreRefused | StoreUnavailable | undefined {
  if (sent === undefined) {
    return new StoreRefused(`the store sent a whole object instead of a range (${what})`);
  }
  const last = Math.min(end, sent.whole - 1);
  if (sent.start === start && sent.end === last && length === last + 1 - start) return undefined;
  return new StoreUnavailable(`the store sent a different range than bytes ${start} to ${last} (${what})`);
}

/** Facts of a request that its body needs. */
interface BodyOptions {
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
class ReceivedBody implements AsyncIterableIterator<Uint8Array> {
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
      throw new StoreUnavailable(`the store cut off its response: ${(error as Error).message} (${what})`);
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
