/** Statuses that a store answers with while it is overloaded: trying again later makes sense. */
const OVERLOADED = [408, 409, 425, 429];

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

/** Fields that errors of the SDK and of Node have in common. */
export interface StoreFailure {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Makes an error of the store from one of the SDK. Texts of the store and causes are left out: they may hold addresses
 * with signatures, and headers with credentials.
 *
 * @param what the request, such as `get of 'docs/log/1' in the bucket 'team'`
 * @returns a `StoreError`, or the error itself if it is none of the store
 */
export function translateError(error: unknown, what: string): unknown {
  if (error instanceof StoreError) return error;
  const { name, code, $metadata } = error as StoreFailure;
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return refusalOf(status, String(name), what);
  if (name === 'CredentialsProviderError') {
    return new StoreRefused(`no credentials for the store were found (${what})`);
  }
  if (name === 'TimeoutError') {
    return new StoreUnavailable(`the store did not respond in time (${what})`, undefined, 'ETIMEDOUT');
  }
  if (typeof code === 'string') {
    return new StoreUnavailable(`cannot reach the store: ${code} (${what})`, undefined, code);
  }
  return error;
}

function refusalOf(status: number, code: string, what: string): StoreError {
  const sentence = `the store returned ${status} ${code} (${what})`;
  if (status === 501) return new StoreUnsupported(sentence, status, code);
  // A status of success comes with an error when the answer could not be understood.
  if (status >= 500 || status < 300 || OVERLOADED.includes(status)) {
    return new StoreUnavailable(sentence, status, code);
  }
  return new StoreRefused(sentence, status, code);
}
