import { setTimeout as pause } from 'node:timers/promises';
import type { ByteRange, StoreObserver } from '../../../application/index.js';
import { getObject } from './get-object.js';
import type {
  ListedObject,
  Listing,
  LocalFile,
  ObjectClient,
  PresignedGet,
  StoredObject,
} from './object-client.js';
import { putObject } from './put-object.js';
import { loadSdk, type Sdk, type StoreConnection } from './sdk.js';
import type { StoreAddress } from './store-address.js';
import { type StoreFailure, translateError } from './store-errors.js';
import { StoreRequests } from './store-requests.js';

export interface S3Options extends StoreAddress, StoreConnection {
  readonly onRequest?: StoreObserver | undefined;
  /** Max. objects in one answer to a list. Default 1,000, which is the most that stores give. */
  readonly pageSize?: number;
}

/** Keys in one answer to a listing. */
const MAX_LISTED = 1_000;
/** Objects that are removed at the same time. */
const MAX_REMOVALS = 8;
/** Attempts of a `create` that the store answers with 409: a conflict with another one that has not ended. */
const MAX_ATTEMPTS_IN_CONFLICT = 6;
const CONFLICT_PAUSE_MS = 20;

/** An `ObjectClient` of a store with the S3 API. */
export class S3ObjectClient implements ObjectClient {
  readonly #sdk: Sdk;
  readonly #requests: StoreRequests;
  readonly #pageSize: number;

  private constructor(sdk: Sdk, options: S3Options) {
    this.#sdk = sdk;
    this.#requests = new StoreRequests(options, options.onRequest);
    this.#pageSize = options.pageSize ?? MAX_LISTED;
  }

  /**
   * Loads the SDK. Nothing is sent.
   * @throws StoreRefused when the region is not known
   */
  static async open(options: S3Options): Promise<S3ObjectClient> {
    return new S3ObjectClient(await loadSdk(options), options);
  }

  create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'> {
    const { commands, client } = this.#sdk;
    const input = {
      ...this.#requests.object(key),
      Body: bytes,
      ContentLength: bytes.length,
      IfNoneMatch: '*',
    };
    const act = async (abortSignal: AbortSignal) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await client.send(new commands.PutObjectCommand(input), { abortSignal });
          return 'created';
        } catch (error) {
          const status = (error as StoreFailure).$metadata?.httpStatusCode;
          if (status === 412) return 'exists';
          if (status !== 409 || attempt === MAX_ATTEMPTS_IN_CONFLICT) throw error;
          await pause(CONFLICT_PAUSE_MS * 2 ** attempt * Math.random(), undefined, { signal: abortSignal });
        }
      }
    };
    return this.#requests.run('create', key, act, (answer) => (answer === 'exists' ? 'exists' : 'ok'));
  }

  put(key: string, content: Uint8Array | LocalFile): Promise<void> {
    return putObject(this.#sdk, this.#requests, key, content);
  }

  get(key: string, range?: ByteRange, signal?: AbortSignal): Promise<StoredObject | undefined> {
    return getObject(this.#sdk, this.#requests, key, range, signal);
  }

  async *list(prefix: string, listing: Listing = {}): AsyncGenerator<ListedObject> {
    const { commands, client } = this.#sdk;
    const { bucket, prefix: own } = this.#requests;
    let left = listing.max ?? Number.POSITIVE_INFINITY;
    let token: string | undefined;
    while (left > 0) {
      const input = {
        Bucket: bucket,
        Prefix: own + prefix,
        MaxKeys: Math.min(this.#pageSize, left),
        ...(listing.after !== undefined && { StartAfter: own + listing.after }),
        ...(token !== undefined && { ContinuationToken: token }),
      };
      const page = await this.#requests.run('list', prefix, (abortSignal) =>
        client.send(new commands.ListObjectsV2Command(input), { abortSignal }),
      );
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        yield { key: Key.slice(own.length), size: Size, modifiedAt: LastModified };
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      if (token === undefined) return;
      left -= page.Contents?.length ?? 0;
    }
  }

  /** Each with a request: for many in one, stores want different checksums, and some do not know it. */
  async remove(keys: Iterable<string>): Promise<void> {
    const { commands, client } = this.#sdk;
    const left = [...new Set(keys)];
    const work = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) {
        const command = new commands.DeleteObjectCommand(this.#requests.object(key));
        await this.#requests.run('remove', key, (abortSignal) => client.send(command, { abortSignal }));
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_REMOVALS, left.length) }, work));
  }

  async presignedGet(key: string, { seconds, fileName }: PresignedGet): Promise<string> {
    const { commands, client, presign } = this.#sdk;
    const command = new commands.GetObjectCommand({
      ...this.#requests.object(key),
      ...(fileName !== undefined && { ResponseContentDisposition: attachment(fileName) }),
    });
    try {
      return await presign(client, command, { expiresIn: seconds });
    } catch (error) {
      throw translateError(error, this.#requests.describe('address', key));
    }
  }

  time(): number | undefined {
    return this.#sdk.time.now();
  }

  async close(): Promise<void> {
    this.#requests.close();
    this.#sdk.client.destroy();
    this.#sdk.uploads.destroy();
  }
}

/** RFC 6266: the name for all, and for programs that know no encoded names one in ASCII. */
function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\w.+-]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
