import { Refusal } from '../../domain/refusal.js';

/** Result or error of work in another thread or process, as a message, which keeps neither class nor fields of an error. */
export type Outcome<Result> =
  | { readonly result: Result }
  | { readonly refusal: Pick<Refusal, 'code' | 'message' | 'facts' | 'setting'> }
  | { readonly error: Error; readonly fields: SystemErrorFields };

/** Fields of an operating system error, which distinguish a full disk from a missing file. */
type SystemErrorFields = Pick<NodeJS.ErrnoException, 'code' | 'syscall' | 'path' | 'errno'>;

/** Does the work. Never throws. */
export async function outcomeOf<Result>(work: () => Result | Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await work() };
  } catch (thrown) {
    if (thrown instanceof Refusal) {
      const { code, message, facts, setting } = thrown;
      return { refusal: { code, message, facts, setting } };
    }
    const error: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { code, syscall, path, errno } = error;
    return { error, fields: { code, syscall, path, errno } };
  }
}

/** @throws the error of the work */
export function resultOf<Result>(outcome: Outcome<Result>): Result {
  if ('result' in outcome) return outcome.result;
  if ('error' in outcome) throw Object.assign(outcome.error, outcome.fields);
  const { code, message, facts, setting } = outcome.refusal;
  throw new Refusal(code, message, facts, { setting });
}
