import { storageRefusalOf } from '../../application/index.js';
import { refuse } from '../../domain/index.js';
import { StoreError } from './client/store-errors.js';
import { UnknownFormat } from './log/commit.js';
import { LogBroken } from './log/commit-log.js';

/** Maps an error of the store or of the local disk to a refusal. Any other error is returned as it is. */
export function refusalOf(error: unknown): unknown {
  // The log is as good as out of reach while it cannot be understood.
  if (error instanceof StoreError || error instanceof UnknownFormat)
    return refuse.storageUnavailable({ cause: error }, 'The object store');
  // In words of its own: trying again does not help until an operator has mended the log.
  if (error instanceof LogBroken) return refuse.logIncomplete({ cause: error });
  return storageRefusalOf(error);
}
