import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type {
  ListedObject,
  Listing,
  LocalFile,
  ObjectClient,
  PresignedGet,
  StoredObject,
} from '../../src/adapters/object-store/client/object-client.js';
import { StoreRefused, StoreUnavailable } from '../../src/adapters/object-store/client/store-errors.js';
import type { ByteRange, StoreObserver, StoreRequest } from '../../src/application/index.js';

const CHUNK = 64 * 1024;

/** Fault of one request. For a request that stalls, answer only later. */
export type Fault =
  /** The request fails, and does nothing. */
  | 'before'
  /** The request takes effect, and then fails. */
  | 'after'
  /** The request takes effect twice: a retry after a lost answer. So a `create` answers `exists` for its own object. */
  | 'repeated'
  /** A `get` whose body ends after this many bytes, with an error. */
  | { readonly cutAfter: number };

/** Decides for each object that a request is about. `key` is without the client's prefix; for `list` it is the prefix. */
export type Faults = (
  operation: StoreRequest['operation'],
  key: string,
) => Fault | undefined | Promise<Fault | undefined>;

interface MemoryObject {
  readonly bytes: Uint8Array;
  readonly modifiedAt: Date;
}

/** A bucket in memory. Several clients can share it, as nodes of a cluster do. Keys are whole. */
export type MemoryBucket = Map<string, MemoryObject>;

/** A client of a bucket in memory, whose requests fail on demand: set `faults` at any time. */
export class MemoryObjectClient implements ObjectClient {
  readonly #bucket: MemoryBucket;
  readonly #prefix: string;
  readonly #onRequest: StoreObserver;
  #closed = false;
  faults: Faults = () => undefined;
  /** The time of the store, in milliseconds since 1970. */
  clock: () => number | undefined = () => Date.now();

  /** @param prefix put before each key, such as `docs/` */
  constructor(bucket: MemoryBucket, prefix = '', onRequest: StoreObserver = () => {}) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#onRequest = onRequest;
  }

  create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'> {
    const copy = bytes.slice();
    return this.#request(
      'create',
      key,
      () => {
        if (this.#bucket.has(this.#prefix + key)) return 'exists';
        this.#store(key, copy);
        return 'created';
      },
      (answer) => (answer === 'exists' ? 'exists' : 'ok'),
    );
  }

  async put(key: string, content: Uint8Array | LocalFile): Promise<void> {
    const bytes = content instanceof Uint8Array ? content.slice() : await readFile(content.path);
    if (!(content instanceof Uint8Array) && bytes.length !== content.size) {
      throw new Error(`${content.path} has ${bytes.length} bytes, not ${content.size}`);
    }
    await this.#request('put', key, () => this.#store(key, bytes));
  }

  async get(key: string, range?: ByteRange, signal?: AbortSignal): Promise<StoredObject | undefined> {
    signal?.throwIfAborted();
    let cutAfter: number | undefined;
    const find = (fault: Fault | undefined) => {
      if (typeof fault === 'object') ({ cutAfter } = fault);
      const found = this.#bucket.get(this.#prefix + key);
      if (range !== undefined && found !== undefined && range.start >= found.bytes.length) {
        throw new StoreRefused(`the store refused the range of '${key}'`, 416, 'InvalidRange');
      }
      return found;
    };
    const asked = this.#request('get', key, find, (found) => (found === undefined ? 'missing' : 'ok'));
    const found = await (signal === undefined ? asked : Promise.race([asked, aborted(signal)]));
    if (found === undefined) return undefined;
    const { bytes } = found;
    const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
    return { size: bytes.length, etag: etagOf(bytes), body: bodyOf(key, part, cutAfter, signal) };
  }

  async *list(prefix: string, { after, max = Number.POSITIVE_INFINITY }: Listing = {}) {
    const listed = await this.#request('list', prefix, () =>
      [...this.#bucket]
        .filter(([key]) => key.startsWith(this.#prefix + prefix))
        .map(([key, { bytes, modifiedAt }]) => {
          return { key: key.slice(this.#prefix.length), size: bytes.length, modifiedAt };
        })
        .filter(({ key }) => after === undefined || byBytes(key, after) > 0)
        .sort((a, b) => byBytes(a.key, b.key)),
    );
    yield* listed.slice(0, max) satisfies ListedObject[];
  }

  async remove(keys: Iterable<string>): Promise<void> {
    for (const key of new Set(keys)) {
      await this.#request('remove', key, () => this.#bucket.delete(this.#prefix + key));
    }
  }

  async presignedGet(key: string, { seconds, fileName }: PresignedGet): Promise<string> {
    const query = new URLSearchParams({ seconds: String(seconds), ...(fileName && { fileName }) });
    return `memory:///${encodeURI(this.#prefix + key)}?${query}`;
  }

  time(): number | undefined {
    return this.clock();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #store(key: string, bytes: Uint8Array): void {
    this.#bucket.set(this.#prefix + key, { bytes, modifiedAt: new Date() });
  }

  async #request<Answer>(
    operation: StoreRequest['operation'],
    key: string,
    act: (fault: Fault | undefined) => Answer,
    resultOf: (answer: Answer) => StoreRequest['result'] = () => 'ok',
  ): Promise<Answer> {
    const began = performance.now();
    let result: StoreRequest['result'] = 'failed';
    try {
      const fault = await this.faults(operation, key);
      if (this.#closed) throw new StoreUnavailable('the client of the store is closed');
      if (fault === 'before') throw new StoreUnavailable('the store failed');
      const first = act(fault);
      if (fault === 'after') throw new StoreUnavailable('the store failed');
      const answer = fault === 'repeated' ? act(fault) : first;
      result = resultOf(answer);
      return answer;
    } catch (error) {
      if (error instanceof StoreRefused) result = 'refused';
      throw error;
    } finally {
      this.#onRequest({ operation, result, seconds: (performance.now() - began) / 1000 });
    }
  }
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function etagOf(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
}

async function* bodyOf(
  key: string,
  bytes: Uint8Array,
  cutAfter: number | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const end = Math.min(cutAfter ?? bytes.length, bytes.length);
  for (let at = 0; at < end; at += CHUNK) {
    signal?.throwIfAborted();
    yield bytes.slice(at, Math.min(at + CHUNK, end));
  }
  signal?.throwIfAborted();
  if (cutAfter !== undefined) throw new StoreUnavailable(`the store cut its answer for '${key}'`);
}
