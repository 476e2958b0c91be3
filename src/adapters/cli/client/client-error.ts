import type { SiteWarning } from '../../../domain/index.js';
import { EXIT, reasonOf } from '../start-error.js';

/** Max. attempts of a request, the first included. */
const MAX_ATTEMPTS = 5;
const FIRST_DELAY_MS = 1_000;
/** Max. delay before a retry. A longer `Retry-After` ends the retries of requests that are not patient. */
const MAX_DELAY_MS = 60_000;
/** Time for which a patient request is sent again, from the first 503. */
const MAX_PATIENCE_MS = 10 * 60_000;

/**
 * Kind of failure: a usage error of the caller, a refusal of the server, or a server that could not be reached.
 */
export type ClientProblem = 'usage' | 'refused' | 'unreachable';

/** A fault of an uploaded site, and how to mend it. */
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
  if (code === 'dead_links') return EXIT.deadLinks;
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

export interface RetryRules {
  /** Whether 503 is answered with patience: it counts as no attempt. */
  readonly isPatient?: boolean | undefined;
  /** A number from 0 to 1, so that clients which were refused together do not return together. */
  readonly random?: (() => number) | undefined;
  /** Milliseconds of a clock that nobody sets. */
  readonly now?: (() => number) | undefined;
}

interface Retry {
  readonly delayMs: number;
  /** A sentence for people; undefined when they know it already. */
  readonly sentence?: string;
}

/** The retries of one request: whether there is another one after a temporary failure, and when. */
export class Retries {
  private attempts = 0;
  private refusals = 0;
  private firstRefusal = 0;

  constructor(private readonly rules: RetryRules) {}

  /** Returns undefined when it is time to give up. */
  after(failure: PassingFailure): Retry | undefined {
    return failure.status === 503 && this.rules.isPatient ? this.later(failure) : this.soon(failure);
  }

  private soon({ message, retryAfterMs }: PassingFailure): Retry | undefined {
    this.attempts += 1;
    if (this.attempts >= MAX_ATTEMPTS || (retryAfterMs ?? 0) > MAX_DELAY_MS) return undefined;
    const delayMs =
      retryAfterMs === undefined
        ? // Never longer than without jitter: a server that is not there is reported soon.
          FIRST_DELAY_MS * 2 ** (this.attempts - 1) * this.between(0.5, 1)
        : retryAfterMs * this.between(0.5, 1.5);
    return { delayMs, sentence: `${message}; retrying in ${Math.ceil(delayMs / 1_000)} s` };
  }

  private later({ message, retryAfterMs = 0 }: PassingFailure): Retry | undefined {
    const { now = () => performance.now() } = this.rules;
    const isFirst = this.refusals === 0;
    if (isFirst) this.firstRefusal = now();
    const asked = Math.max(retryAfterMs, FIRST_DELAY_MS);
    const left = this.firstRefusal + MAX_PATIENCE_MS - now();
    if (left <= 0 || retryAfterMs > left) return undefined;
    const grown = Math.min(asked * 2 ** this.refusals, Math.max(asked, MAX_DELAY_MS));
    this.refusals += 1;
    const delayMs = Math.min(left, grown * this.between(0.5, 1.5));
    return {
      delayMs,
      ...(isFirst && { sentence: `${message}; retrying for up to ${MAX_PATIENCE_MS / 60_000} minutes` }),
    };
  }

  private between(least: number, most: number): number {
    return least + (most - least) * (this.rules.random ?? Math.random)();
  }
}
