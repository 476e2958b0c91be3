import type { ByteRange } from '../../../application/index.js';

/** A file of this machine that is put as an object. */
export interface LocalFile {
  readonly path: string;
  /** Bytes. A file that is shorter or longer when it is read is a plain error, and no object is made. */
  readonly size: number;
}

/** An object that is being read. */
export interface StoredObject {
  /** Bytes of the whole object, also when a range is read. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /**
   * The bytes of the object or of the range. Read it once, to its end or until a `return`: an unread body holds a
   * connection. Throws `StoreUnavailable` when the store sends fewer bytes than it announced.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** An object in a list. */
export interface ListedObject {
  /** Within the prefix of the client, as it was put. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: Date;
}

/** Selection of the objects to list below a prefix. */
export interface Listing {
  /** Only keys after this one are listed. The key need not exist. */
  readonly after?: string;
  /** Max. number of objects; without it, all of them. */
  readonly max?: number;
}

/** A signed address under which everyone can read an object for some time. */
export interface PresignedGet {
  /** Validity of the address, in seconds: 1 to 604,800. */
  readonly seconds: number;
  /** Name under which browsers save the object. */
  readonly fileName?: string;
}

/**
 * Objects below one prefix of one bucket of an object store. Keys are relative to the prefix: the client adds it, and
 * takes it off again in lists.
 *
 * Every method throws `StoreUnavailable` when the store cannot be reached, stalls or fails (5xx) in spite of a few
 * repeated attempts, `StoreRefused` when it answers with another 4xx (wrong credentials, no rights, no such bucket), and
 * `StoreUnsupported` when it answers 501. Messages hold no credentials and no signatures.
 */
export interface ObjectClient {
  /**
   * Creates an object if there is none with this key: one single-part PUT with `If-None-Match: *`.
   *
   * `exists` may mean that an earlier attempt of this very call made the object and that its answer was lost. So bytes
   * hold a nonce, and a caller to whom it matters reads the object on `exists`. After `StoreUnavailable` the object may
   * exist, too, or may yet come to exist.
   */
  create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'>;

  /** Puts an object, whether or not there is one with this key. Large files are put in parts. The object appears whole. */
  put(key: string, content: Uint8Array | LocalFile): Promise<void>;

  /**
   * Opens an object, or a range of it. The range is cut at the end of the object; one that begins past it is
   * `StoreRefused`.
   * @param signal ends the request, and the body with it: both throw the signal's reason
   * @returns undefined when there is no such object
   */
  get(key: string, range?: ByteRange, signal?: AbortSignal): Promise<StoredObject | undefined>;

  /** Lists the objects whose keys begin with this prefix, sorted by the bytes of their keys in UTF-8. */
  list(prefix: string, listing?: Listing): AsyncIterable<ListedObject>;

  /** Removes objects. Missing objects are no error. After an error some may be removed, and some not. */
  remove(keys: Iterable<string>): Promise<void>;

  /** Makes a signed address for reading an object, without asking the store whether it exists. */
  presignedGet(key: string, options: PresignedGet): Promise<string>;

  /**
   * The time of the store, in milliseconds since 1970: the `Date` of its last answer, and what has passed since then.
   * Undefined before the first answer, and where answers have no `Date`.
   */
  time(): number | undefined;

  /** Closes all connections. Requests under way fail. Safe to call more than once. */
  close(): Promise<void>;
}
