import { storageRefusalOf } from '../../application/index.js';
import { refuse } from '../../domain/index.js';
import { StoreError } from './client/store-errors.js';
import { UnknownFormat } from './log/commit.js';
import { LogBroken } from './log/log-broken.js';

/**
 * Runs `work`.
 * @throws Refusal `unavailable` or `insufficient_storage` in place of errors of the store and of the local disk
 */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Passes a stream on, with its errors as those of `refusing`. */
export async function* refusingStream<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* chunks;
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  // The log is as good as out of reach while it cannot be understood.
  if (error instanceof StoreError || error instanceof UnknownFormat)
    return refuse.storageUnavailable({ cause: error }, 'The object store');
  // In words of its own: trying again does not help until an operator has mended the log.
  if (error instanceof LogBroken) return refuse.logIncomplete({ cause: error });
  return storageRefusalOf(error) ?? error;
}
