import { Refusal, refuse } from '../domain/index.js';

/** The disk, or this user's share of it, is full. */
const FULL = ['ENOSPC', 'EDQUOT'];

/** The disk cannot be reached or changed now, or the process has run short of something. */
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
 * What an adapter's failure means to whoever asked: `insufficient_storage`, `unavailable`, or a refusal as it is.
 * @returns undefined for a failure that says nothing of the storage
 */
export function storageRefusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const { code: own, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const code = String(own ?? cause?.code);
  if (FULL.includes(code)) return refuse.insufficientStorage({ cause: error });
  return OUT_OF_REACH.includes(code) ? refuse.storageUnavailable({ cause: error }) : undefined;
}
