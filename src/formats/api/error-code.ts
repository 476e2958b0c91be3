import type { RefusalCode } from '../../domain/index.js';

/** Error codes of faults that only HTTP has. */
export type HttpFaultCode =
  | 'invalid_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'unavailable';

/** All values of `error` in the body of a failure (contract section 6). */
export type ErrorCode = RefusalCode | HttpFaultCode | 'internal';
