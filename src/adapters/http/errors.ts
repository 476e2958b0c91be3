import { STATUS_CODES } from 'node:http';
import { Refusal, type Setting, type SiteWarning } from '../../domain/index.js';
import type { Body } from '../../formats/api/bodies.js';
import { type ErrorCode, STATUS_OF } from '../../formats/index.js';
import { isApiPath } from './server/request-log.js';

/** Seconds until another try, where nothing more is known. */
const RETRY_AFTER_SECONDS = 5;

/** Hints on the setting behind a refusal, for clients and operators. */
const HOW_TO_SET: Readonly<Record<Setting, string>> = {
  tokens: 'start the server with --tokens',
  token: 'send it in the header X-Token',
  token_of_file: 'send one from the tokens file in the header X-Token',
  upload_size: 'the limit is --max-upload-size of the server',
  extracted_size: 'the limit is --max-extracted-size of the server',
  files: 'the limit is --max-files of the server',
  ratio: 'the limit is --max-ratio of the server',
  free_space: '--min-free-space of the server sets the space to keep free',
};

/** Nobody reads the response any more. */
export class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
}

/** An invalid HTTP request, answered like a refusal of the core. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Overrides the status of the code: 416 has no code of its own. */
    readonly status: number = STATUS_OF[code],
  ) {
    super(message);
  }
}

/** A 503 with `Retry-After`: the server cannot take such a request now. */
export function unavailable(message: string, retryAfterSeconds = RETRY_AFTER_SECONDS): HttpFault {
  return new HttpFault('unavailable', message, retryAfter(retryAfterSeconds));
}

/** Headers of refusals by status. Never `Basic`: a browser that was not asked for a login sends none by itself. */
const HEADERS_OF: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  503: retryAfter(),
};

function retryAfter(seconds = RETRY_AFTER_SECONDS): Readonly<Record<string, string>> {
  return { 'Retry-After': String(seconds) };
}

/** A failure as it is sent. */
interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly warnings?: readonly SiteWarning[] | undefined;
}

/** Converts anything thrown into a failure to send. Details of unknown errors are not sent. */
export function failureOf(error: unknown): Failure {
  if (error instanceof HttpFault) {
    return { status: error.status, code: error.code, message: error.message, headers: error.headers };
  }
  if (error instanceof Refusal) {
    const { code, setting, warnings } = error;
    const status = STATUS_OF[code];
    const message = setting === undefined ? error.message : `${error.message}; ${HOW_TO_SET[setting]}`;
    return { status, code, message, headers: HEADERS_OF[status] ?? {}, warnings };
  }
  if (isClientError(error)) {
    return { status: 400, code: 'invalid_request', message: 'The request is malformed', headers: {} };
  }
  return {
    status: 500,
    code: 'internal',
    message: 'Internal server error; for details, search the server log for the ID in X-Request-Id',
    headers: {},
  };
}

/** Title of the page for a failure. */
export function titleOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

/** Whether Koa or its middleware reports a fault of the client, by a status and `expose`. */
function isClientError(error: unknown): boolean {
  const { expose, status } = (error ?? {}) as { expose?: unknown; status?: unknown };
  return expose === true && typeof status === 'number' && status >= 400 && status < 500;
}

/**
 * Returns the body of a failure for programs, whatever they accept: the API's own on its paths, and on every path to the holder of an
 * access token, which no browser sends; JSON-RPC's at `/-/mcp`. Undefined for others, who are shown a page.
 */
export function jsonFailure(path: string, { status, code, message, warnings }: Failure): string | undefined {
  const isMcp = path === MCP_PATH || path.startsWith(`${MCP_PATH}/`);
  if (isApiPath(path) || (code === 'person_not_accepted' && !isMcp)) {
    const body: Body<'Failure'> = {
      success: false,
      error: code,
      message,
      warnings: warnings && [...warnings],
    };
    return JSON.stringify(body);
  }
  if (!isMcp) return undefined;
  return rpcErrorOf(status < 500 ? INVALID_REQUEST : INTERNAL_ERROR, message, code);
}

/** Address of the Model Context Protocol. */
export const MCP_PATH = '/-/mcp';

/** JSON-RPC's numbers: no request, and a failure of the server. */
export const INVALID_REQUEST = -32_600;
export const INTERNAL_ERROR = -32_603;

/**
 * The body of a refusal at `/-/mcp`: a JSON-RPC error without the id of a message.
 * @param error the code that the API would give
 */
export function rpcErrorOf(code: number, message: string, error?: string): string {
  const data = error === undefined ? {} : { data: { error } };
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, ...data } });
}
