/**
 * Whose turn it is after a failure: the caller has to mend something, the server said no, or nobody knows
 * because the server could not be asked.
 */
export type ClientProblem = 'usage' | 'refused' | 'unreachable';

export interface RefusalFacts {
  /** From the closed list of contract section 6, when the server gave one. */
  readonly code?: string;
  readonly status?: number;
}

/** A failure that is worth a sentence for people, and an exit code for scripts. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: string | undefined;
  readonly status: number | undefined;

  constructor(
    readonly problem: ClientProblem,
    message: string,
    { code, status, ...options }: RefusalFacts & ErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
  }
}

/** What an attempt came to when another one may succeed. */
export type Attempt =
  /** The connection was never made. */
  | 'not-sent'
  /** The server said that it did nothing, and when to come back. */
  | 'turned-away'
  /** The request may have been carried out; its answer is lost. */
  | 'in-doubt';

/** A failure that may pass. */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure';

  constructor(
    readonly attempt: Attempt,
    message: string,
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
