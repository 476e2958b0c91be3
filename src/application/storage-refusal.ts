import { Refusal, refuse } from '../domain/index.js';

/** Error codes of a full disk or quota. */
const FULL = ['ENOSPC', 'EDQUOT'];

/** Error codes of a disk that cannot be reached or written, or of a process short of resources. */
const OUT_OF_REACH = [
  ...[
    'EACCES',
    'EPERM',
    'EROFS',
    'EIO',
    'ESTALE',
    'ENXIO',
    'ENODEV',
    'EBUSY',
    'EXDEV',
    'EUCLEAN',
    'EREMOTEIO',
  ],
  ...['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'ERR_WORKER_INIT_FAILED', 'ERR_WORKER_OUT_OF_MEMORY'],
];

/**
 * Maps an adapter's error to `insufficient_storage` or `unavailable`. Refusals, and errors that are not about storage, are
 * returned as they are.
 */
export function storageRefusalOf(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const { code: own, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const code = String(own ?? cause?.code);
  if (FULL.includes(code)) return refuse.insufficientStorage({ cause: error });
  return OUT_OF_REACH.includes(code) ? refuse.storageUnavailable({ cause: error }) : error;
}
