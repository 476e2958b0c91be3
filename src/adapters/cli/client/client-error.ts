import type { SiteWarning } from '../../../domain/index.js';
import { EXIT } from '../exit-codes.js';
import { reasonOf } from '../start-error.js';

/**
 * Kind of failure: a usage error of the caller, a refusal of the server, or a server that could not be reached.
 */
export type ClientProblem = 'usage' | 'refused' | 'unreachable';

/** A fault of an uploaded site: what it is, and what to do. */
export type Warning = Pick<SiteWarning, 'message' | 'fix'>;

interface RefusalFacts {
  /** From the closed list of contract section 6, when the server gave one. */
  readonly code?: string | undefined;
  readonly status?: number;
  /** Warnings that the server refused an upload for. */
  readonly warnings?: readonly Warning[] | undefined;
}

/** A failure with a sentence for people and an exit code for scripts. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly warnings: readonly Warning[];

  constructor(
    readonly problem: ClientProblem,
    message: string,
    { code, status, warnings = [], ...options }: RefusalFacts & ErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.warnings = warnings;
    this.status = status;
  }
}

/** Returns an error about a local file or directory, with words instead of an errno code. */
export function localError(what: string, error: unknown): ClientError {
  return new ClientError('usage', `${what}: ${reasonOf(error)}`, { cause: error });
}

export function exitCodeOf({ problem, code, status }: ClientError): number {
  if (problem !== 'refused') return EXIT[problem];
  // Other servers give no code.
  if (code === 'version_exists' || (status === 409 && code !== 'name_taken')) return EXIT.exists;
  if (code === 'site_has_warnings') return EXIT.warnings;
  if (status === 401 || status === 403) return EXIT.notAllowed;
  if (status === 404) return EXIT.notFound;
  return EXIT.refused;
}

/** A temporary failure, which may be retried. */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure';
  /** Whether the request may have been carried out: its response was lost. */
  readonly isInDoubt: boolean;
  /** Delay before a retry, when the server gave one. */
  readonly retryAfterMs: number | undefined;
  /** Status of the response, when there was one. */
  readonly status: number | undefined;

  constructor(
    message: string,
    {
      isInDoubt,
      retryAfterMs,
      status,
      ...options
    }: {
      readonly isInDoubt: boolean;
      readonly retryAfterMs?: number | undefined;
      readonly status?: number;
    } & ErrorOptions,
  ) {
    super(message, options);
    this.isInDoubt = isInDoubt;
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }
}
