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
 * Maps an adapter's error to `insufficient_storage` or `unavailable`. A refusal is returned as it is.
 * @returns undefined for an error that is not about storage
 */
export function storageRefusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const { code: own, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const code = String(own ?? cause?.code);
  if (FULL.includes(code)) return refuse.insufficientStorage({ cause: error });
  return OUT_OF_REACH.includes(code) ? refuse.storageUnavailable({ cause: error }) : undefined;
}
