import type { Actor } from '../../domain/index.js';

/** Kind of a change, for programs. */
export type AuditAction =
  | ('publish' | 'replace' | 'remove' | 'purge' | 'restore')
  | ('hide' | 'deprecate' | 'alias' | 'describe' | 'retain' | 'copy_settings')
  | ('make_token' | 'revoke_token')
  /** Requests for a change without valid credentials, counted. */
  | 'authenticate'
  /** No change: the record begins, or goes on. */
  | 'open';

/** Small facts, as JSON: never a secret, a header, a body or a whole document. */
export type AuditFacts = Readonly<Record<string, unknown>>;

/** A change, or a refused one. */
export interface AuditEntry {
  readonly time: Date;
  readonly action: AuditAction;
  /** Undefined for somebody without valid credentials. */
  readonly actor?: Actor | undefined;
  readonly project?: string | undefined;
  /** Label of a version; `~<name>` of a preview. */
  readonly version?: string | undefined;
  /** Facts that the change has taken away, and those in their place. */
  readonly before?: AuditFacts | undefined;
  readonly after?: AuditFacts | undefined;
  /** `failed`: a fault of the server, whose log says more; the change may be made or not. */
  readonly result: 'ok' | 'refused' | 'failed';
  /** Code of the refusal, or `internal`. */
  readonly error?: string | undefined;
  /** Rule by which the server changes something by itself. */
  readonly reason?: string | undefined;
  /** Number of refusals that the entry sums up. */
  readonly count?: number | undefined;
}

/** Port for the record of changes. */
export interface AuditLog {
  /** Whether anything is recorded. */
  readonly isOn: boolean;
  /**
   * Asked before each change.
   * @throws Refusal `unavailable` when no entry can be written now
   */
  assertWritable(): Promise<void>;
  /**
   * Writes an entry, whole. Once it returns, the entry outlives the process. An entry of a change that is made (`ok`) and cannot
   * be written is kept, and written before any other; `assertWritable` refuses until then.
   * @throws Refusal `unavailable`
   */
  write(entry: AuditEntry): Promise<void>;
}

/** Records nothing. */
export const NO_AUDIT_LOG: AuditLog = {
  isOn: false,
  assertWritable: async () => {},
  write: async () => {},
};
