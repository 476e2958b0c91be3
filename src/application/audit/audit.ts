import { type Actor, Refusal } from '../../domain/index.js';
import { type AuditAction, type AuditEntry, type AuditLog, NO_AUDIT_LOG } from '../ports/audit-log.js';

/** Interval in which refusals of strangers become one entry, in milliseconds. */
const STRANGERS_MS = 60_000;

/** A change that somebody asks for. */
export interface Attempt {
  readonly action: AuditAction;
  readonly actor: Actor;
  readonly project?: string | undefined;
  readonly version?: string | undefined;
}

/** Records changes, and refusals of changes: each once, whichever layers they pass. */
export class Audit {
  /** Errors that are recorded. */
  private readonly told = new WeakSet<object>();
  /** Refusals of strangers since the last entry about them, by code. */
  private readonly strangers = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: AuditLog = NO_AUDIT_LOG) {}

  get isOn(): boolean {
    return this.log.isOn;
  }

  /** @throws Refusal `unavailable` when changes cannot be recorded now */
  assertWritable(): Promise<void> {
    return this.log.assertWritable();
  }

  /** Records a change that is made. @throws Refusal `unavailable`, which is no refusal of the change */
  made(entry: Omit<AuditEntry, 'time' | 'result'>): Promise<void> {
    return this.write({ ...entry, result: 'ok' });
  }

  /**
   * Records the failure of an attempt.
   * @param code of an error that is no Refusal
   * @returns the error to throw: the same, or in its place the refusal of a record that cannot be written
   */
  async failed(error: unknown, attempt: Attempt, code = 'internal'): Promise<unknown> {
    if (!this.isOn || !this.isNew(error)) return error;
    const isRefused = error instanceof Refusal || code !== 'internal';
    const result = isRefused ? 'refused' : 'failed';
    const why = error instanceof Refusal ? error.code : code;
    try {
      await this.write({ ...attempt, result, error: why });
      return error;
    } catch (unwritable) {
      return unwritable;
    }
  }

  /** Counts a refusal of somebody without valid credentials: there is one entry a minute. */
  stranger(code: string): void {
    if (!this.isOn) return;
    this.strangers.set(code, (this.strangers.get(code) ?? 0) + 1);
    this.timer ??= setTimeout(() => void this.tellOfStrangers(), STRANGERS_MS).unref();
  }

  /** Records the strangers that are counted. */
  async close(): Promise<void> {
    await this.tellOfStrangers();
  }

  private async tellOfStrangers(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const counts = [...this.strangers];
    this.strangers.clear();
    for (const [error, count] of counts) {
      const entry = { action: 'authenticate', result: 'refused', error, count } as const;
      // Counted again with those of the next minute.
      await this.write(entry).catch(() => this.countAgain(error, count));
    }
  }

  /** @throws an error that is not recorded in its turn */
  private async write(entry: Omit<AuditEntry, 'time'>): Promise<void> {
    try {
      await this.log.write({ time: new Date(), ...entry });
    } catch (error) {
      this.isNew(error);
      throw error;
    }
  }

  private countAgain(error: string, count: number): void {
    this.strangers.set(error, (this.strangers.get(error) ?? 0) + count);
  }

  /** Notes an error; returns whether it was not noted before. */
  private isNew(error: unknown): boolean {
    if (typeof error !== 'object' || error === null) return true;
    const isNew = !this.told.has(error);
    this.told.add(error);
    return isNew;
  }
}
