import { Refusal, type RefusalCode, type Setting } from '../../../domain/refusal.js';

/** An error as plain data: messages between threads lose its class and fields. */
export type Failure =
  | {
      readonly refusal: {
        code: RefusalCode;
        message: string;
        facts: Readonly<Record<string, string | number>>;
        setting: Setting | undefined;
      };
    }
  | { readonly error: { message: string; stack?: string | undefined; fields: SystemErrorFields } };

/** Fields of an operating system error, which distinguish a full disk from a missing file. */
type SystemErrorFields = Partial<Record<'code' | 'syscall' | 'path', string>> & { errno?: number };

export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) {
    const { code, message, facts, setting } = error;
    return { refusal: { code, message, facts, setting } };
  }
  if (!(error instanceof Error)) return { error: { message: String(error), fields: {} } };
  const { code, syscall, path, errno } = error as NodeJS.ErrnoException;
  const fields: SystemErrorFields = {};
  if (code !== undefined) fields.code = code;
  if (syscall !== undefined) fields.syscall = syscall;
  if (path !== undefined) fields.path = path;
  if (errno !== undefined) fields.errno = errno;
  return { error: { message: error.message, stack: error.stack, fields } };
}

/** Restores the error from the result of `failureOf`. */
export function errorOf(failure: Failure): Error {
  if ('refusal' in failure) {
    const { code, message, facts, setting } = failure.refusal;
    return new Refusal(code, message, facts, { setting });
  }
  const { message, stack, fields } = failure.error;
  const error = Object.assign(new Error(message), fields);
  if (stack !== undefined) error.stack = stack;
  return error;
}
