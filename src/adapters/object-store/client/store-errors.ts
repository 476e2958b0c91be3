/** An error of the object store. The message is a sentence for operators, without credentials and signatures. */
export abstract class StoreError extends Error {
  constructor(
    message: string,
    /** Status of the store's answer; undefined when there was none. */
    readonly status?: number,
    /** The store's own code for the error, such as `NoSuchBucket`, or Node's, such as `ECONNREFUSED`. */
    readonly code?: string,
  ) {
    super(message);
  }
}

/**
 * The store could not be reached, took too long, cut its answer, or answered 5xx, in spite of repeated attempts. A
 * write may have been done nevertheless. Trying again later makes sense.
 */
export class StoreUnavailable extends StoreError {
  override readonly name = 'StoreUnavailable';
}

/** The store refused the request (4xx): credentials, rights, a bucket that does not exist. Trying again changes nothing. */
export class StoreRefused extends StoreError {
  override readonly name = 'StoreRefused';
}

/** The store answered 501: it does not know what the request needs, such as `If-None-Match: *`. */
export class StoreUnsupported extends StoreError {
  override readonly name = 'StoreUnsupported';
}
