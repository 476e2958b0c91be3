import type { ErrorCode } from '../../../formats/index.js';

/** Cause of each error code. A new refusal code does not compile until it is explained here. */
export const helpErrors: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    'the request is malformed; an upload has exactly one part named `file`, and `expires` only for a preview',
  invalid_filename:
    'the file name is neither `<project>-<version>-docs.zip` nor `<project>~<preview>-docs.zip`',
  invalid_archive: 'the archive is damaged, or holds an entry that is not safe to unpack',
  invalid_settings:
    'an alias, a target, a message, a description or a rule is invalid, or there are too many',
  authentication_required: 'there is no token, or it is unknown or has expired',
  project_not_allowed: 'the token is for other projects, or the project exists in another spelling',
  version_not_allowed: 'the token is for previews only',
  project_not_existing: 'the token may not create projects',
  delete_not_allowed: 'the token may not delete',
  manage_not_allowed: 'the token may not change settings of projects',
  tokens_not_allowed:
    'the token may not make tokens, not with these rights, or not more of them; or it did not make the token',
  project_not_found: 'there is no such project',
  version_not_found: 'the project has no such version',
  preview_not_found: 'the project has no such preview; it may have expired',
  token_not_found: 'the token has made no such token',
  not_found: 'there is nothing at this address',
  method_not_allowed: 'the address does not support this method; `Allow` names those that it does',
  version_exists: 'the version exists, and the token may not overwrite it; or it exists in another spelling',
  name_taken:
    'an alias has the name of the version, or a version or project that of the alias; or a token has that name',
  upload_too_large: 'the upload is larger than this server allows',
  archive_too_large: 'the unpacked archive is larger than this server allows',
  site_has_warnings: 'the upload is strict, and there are warnings about its site; `warnings` has them',
  unsupported_media_type: 'the body has another media type than the operation takes',
  internal: 'something went wrong on the server; its log has more under the `X-Request-Id`',
  unavailable: 'the server is busy or stopping; try again after `Retry-After` seconds',
  insufficient_storage: 'the server has too little disk space; nothing was changed',
};
