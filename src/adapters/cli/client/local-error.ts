import { reasonOf } from '../start-error.js';
import { ClientError } from './client-error.js';

/** Returns an error about a local file or directory, with words instead of an errno code. */
export function localError(what: string, error: unknown): ClientError {
  return new ClientError('usage', `${what}: ${reasonOf(error)}`, { cause: error });
}
