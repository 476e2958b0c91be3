import type { RefusalCode } from '../../domain/index.js';

/** Error codes of faults that only HTTP has. */
type HttpFaultCode =
  | 'invalid_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'unavailable';

/** All values of `error` in the body of a failure (contract section 6). */
export type ErrorCode = RefusalCode | HttpFaultCode | 'internal';

/** HTTP status of each error code. */
export const STATUS_OF = {
  invalid_request: 400,
  invalid_filename: 400,
  invalid_archive: 400,
  invalid_settings: 400,
  authentication_required: 401,
  person_not_accepted: 403,
  project_not_allowed: 403,
  version_not_allowed: 403,
  project_not_existing: 403,
  delete_not_allowed: 403,
  manage_not_allowed: 403,
  tokens_not_allowed: 403,
  project_not_found: 404,
  version_not_found: 404,
  preview_not_found: 404,
  token_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  version_exists: 409,
  name_taken: 409,
  upload_too_large: 413,
  archive_too_large: 413,
  unsupported_media_type: 415,
  site_has_warnings: 422,
  dead_links: 422,
  internal: 500,
  unavailable: 503,
  insufficient_storage: 507,
} as const satisfies Record<ErrorCode, number>;
