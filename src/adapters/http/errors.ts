import { STATUS_CODES } from 'node:http';
import { Refusal, type RefusalCode, type Setting } from '../../domain/index.js';

/** Faults of a request that only HTTP can have. */
export type HttpFaultCode =
  | 'invalid_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'unavailable';

/** The closed list of contract section 6: everything that `error` can say. */
export type ErrorCode = RefusalCode | HttpFaultCode | 'internal';

/** The one place where a reason becomes a status. */
export const STATUS_OF = {
  invalid_request: 400,
  invalid_filename: 400,
  invalid_archive: 400,
  authentication_required: 401,
  project_not_allowed: 403,
  project_not_existing: 403,
  delete_not_allowed: 403,
  project_not_found: 404,
  version_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  version_exists: 409,
  upload_too_large: 413,
  archive_too_large: 413,
  unsupported_media_type: 415,
  internal: 500,
  unavailable: 503,
  insufficient_storage: 507,
} as const satisfies Record<ErrorCode, number>;

const RETRY_AFTER = { 'Retry-After': '5' };

/** How the settings that refusals are about are changed, for a client of this server and whoever runs it. */
const HOW_TO_SET: Readonly<Record<Setting, string>> = {
  tokens: 'start the server with --tokens',
  token: 'send it in the header X-Token',
  upload_size: 'the limit is --max-upload-size of the server',
  extracted_size: 'the limit is --max-extracted-size of the server',
  files: 'the limit is --max-files of the server',
  ratio: 'the limit is --max-ratio of the server',
  free_space: 'what has to stay free is --min-free-space of the server',
};

/** A request that HTTP itself finds wrong: answered like a refusal of the core. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault';

  constructor(
    readonly code: HttpFaultCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Another status than the code's own: 416 has no code of its own. */
    readonly status: number = STATUS_OF[code],
  ) {
    super(message);
  }
}

/** A state of the server in which it takes no such request: 503, with when to try again. */
export function unavailable(message: string): HttpFault {
  return new HttpFault('unavailable', message, RETRY_AFTER);
}

/** A failure as it goes out. */
export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Says of anything that was thrown what the client may know of it. Unknown errors say nothing of themselves. */
export function failureOf(error: unknown): Failure {
  if (error instanceof HttpFault) {
    return { status: error.status, code: error.code, message: error.message, headers: error.headers };
  }
  if (error instanceof Refusal) {
    const { code, setting } = error;
    const status = STATUS_OF[code];
    const message = setting === undefined ? error.message : `${error.message}; ${HOW_TO_SET[setting]}`;
    return { status, code, message, headers: status === 503 ? RETRY_AFTER : {} };
  }
  if (isClientError(error)) {
    return { status: 400, code: 'invalid_request', message: 'The request is malformed', headers: {} };
  }
  return {
    status: 500,
    code: 'internal',
    message: 'Something went wrong on the server; its log has the rest under the id in X-Request-Id',
    headers: {},
  };
}

/** The title of a page that shows a failure. */
export function titleOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

/** Koa and its parts throw errors with a status and `expose` for faults of the client. */
function isClientError(error: unknown): boolean {
  const { expose, status } = (error ?? {}) as { expose?: unknown; status?: unknown };
  return expose === true && typeof status === 'number' && status >= 400 && status < 500;
}
