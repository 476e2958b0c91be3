import { Refusal } from '../../../domain/refusal.js';

/** An error in a message between threads, which keeps neither the class of an error nor its own fields. */
export type Failure =
  | { readonly refusal: Pick<Refusal, 'code' | 'message' | 'facts' | 'setting'> }
  | { readonly error: Error; readonly fields: SystemErrorFields };

/** Fields of an operating system error, which distinguish a full disk from a missing file. */
type SystemErrorFields = Pick<NodeJS.ErrnoException, 'code' | 'syscall' | 'path' | 'errno'>;

export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Refusal) {
    const { code, message, facts, setting } = thrown;
    return { refusal: { code, message, facts, setting } };
  }
  const error: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { code, syscall, path, errno } = error;
  return { error, fields: { code, syscall, path, errno } };
}

/** Restores the error from the result of `failureOf`. */
export function errorOf(failure: Failure): Error {
  if (!('refusal' in failure)) return Object.assign(failure.error, failure.fields);
  const { code, message, facts, setting } = failure.refusal;
  return new Refusal(code, message, facts, { setting });
}
