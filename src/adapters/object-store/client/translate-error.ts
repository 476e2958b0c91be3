import { StoreError, StoreRefused, StoreUnavailable, StoreUnsupported } from './store-errors.js';

/** What the errors of the SDK and of Node have in common. */
interface Failure {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Statuses that a store answers with while it is overloaded: trying again later makes sense. */
const OVERLOADED = [408, 409, 425, 429];

/**
 * Makes an error of the store from one of the SDK. Texts of the store and causes are left out: they may hold addresses
 * with signatures, and headers with credentials.
 *
 * @param what the request, such as `get of 'docs/log/1' in the bucket 'team'`
 * @returns a `StoreError`, or the error itself if it is none of the store
 */
export function translateError(error: unknown, what: string): unknown {
  if (error instanceof StoreError) return error;
  const { name, code, $metadata } = error as Failure;
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return refusalOf(status, String(name), what);
  if (name === 'CredentialsProviderError') {
    return new StoreRefused(`no credentials for the store were found (${what})`);
  }
  if (name === 'TimeoutError') {
    return new StoreUnavailable(`the store did not answer in time (${what})`, undefined, 'ETIMEDOUT');
  }
  if (typeof code === 'string') {
    return new StoreUnavailable(`the store cannot be reached: ${code} (${what})`, undefined, code);
  }
  return error;
}

function refusalOf(status: number, code: string, what: string): StoreError {
  const sentence = `the store answered ${status} ${code} (${what})`;
  if (status === 501) return new StoreUnsupported(sentence, status, code);
  // A status of success comes with an error when the answer could not be understood.
  if (status >= 500 || status < 300 || OVERLOADED.includes(status)) {
    return new StoreUnavailable(sentence, status, code);
  }
  return new StoreRefused(sentence, status, code);
}
