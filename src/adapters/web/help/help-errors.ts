import type { RefusalCode } from '../../../domain/index.js';

/** Errors that only exist at the edge: the core never sees such a request. */
type EdgeCode =
  | 'invalid_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'internal';

/**
 * Every error code that the API answers with, as the help explains it. A refusal that the core learns does not
 * compile until it is explained here.
 */
export const helpErrors = {
  invalid_request: {
    status: 400,
    when: 'the request is malformed; an upload has exactly one part named `file`',
  },
  invalid_filename: { status: 400, when: 'the file name is not `<project>-<version>-docs.zip`' },
  invalid_archive: {
    status: 400,
    when: 'the archive is damaged, or holds an entry that is not safe to unpack',
  },
  authentication_required: { status: 401, when: 'there is no token, or it is unknown' },
  project_not_allowed: {
    status: 403,
    when: 'the token is for other projects, or the project exists in another spelling',
  },
  project_not_existing: { status: 403, when: 'the token may not create projects' },
  delete_not_allowed: { status: 403, when: 'the token may not delete' },
  project_not_found: { status: 404, when: 'there is no such project' },
  version_not_found: { status: 404, when: 'the project has no such version' },
  not_found: { status: 404, when: 'there is nothing at this address' },
  method_not_allowed: {
    status: 405,
    when: 'the address does not take this method; `Allow` names those it takes',
  },
  version_exists: {
    status: 409,
    when: 'the version exists, and the token may not overwrite it; or it exists in another spelling',
  },
  upload_too_large: { status: 413, when: 'the upload is larger than this server takes' },
  archive_too_large: { status: 413, when: 'the archive holds more than this server takes' },
  unsupported_media_type: { status: 415, when: 'the upload is not `multipart/form-data`' },
  internal: { status: 500, when: 'something went wrong here; the log has more under the `X-Request-Id`' },
  unavailable: { status: 503, when: 'the server is busy or stopping; try again after `Retry-After` seconds' },
  insufficient_storage: {
    status: 507,
    when: 'the disk of the server has no room for it; nothing was changed',
  },
} as const satisfies Record<RefusalCode | EdgeCode, { readonly status: number; readonly when: string }>;
