import type { UnpackedSite, UnpackRequest } from '../../application/ports/archives.js';
import { Refusal, type RefusalCode } from '../../domain/refusal.js';

/** What a worker is asked to do. */
export type Job =
  | { readonly kind: 'unpack'; readonly request: UnpackRequest }
  | { readonly kind: 'pack'; readonly siteDirectory: string; readonly archiveFile: string }
  | {
      readonly kind: 'verify';
      readonly archiveFile: string;
      readonly siteDirectory: string;
      readonly most: number;
    };

/** What each kind of job gives. */
export interface Results {
  unpack: UnpackedSite;
  pack: undefined;
  verify: readonly string[];
}

export type Result = Results[Job['kind']];

/** What it answers: plain data, since an error loses its class and its fields on the way between threads. */
export type Outcome =
  | { readonly result: Result }
  | {
      readonly refusal: {
        code: RefusalCode;
        message: string;
        facts: Readonly<Record<string, string | number>>;
      };
    }
  | { readonly error: { message: string; stack?: string | undefined; fields: SystemErrorFields } };

/** What tells a full disk from a missing file: the fields of an error of the operating system. */
type SystemErrorFields = Partial<Record<'code' | 'syscall' | 'path', string>> & { errno?: number };

export function failureOf(error: unknown): Outcome {
  if (error instanceof Refusal) {
    const { code, message, facts } = error;
    return { refusal: { code, message, facts } };
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

/** @throws what the worker threw, as the same kind of error. */
export function resultOf(outcome: Outcome): Result {
  if ('result' in outcome) return outcome.result;
  if ('refusal' in outcome) {
    const { code, message, facts } = outcome.refusal;
    throw new Refusal(code, message, facts);
  }
  const { message, stack, fields } = outcome.error;
  const error = Object.assign(new Error(message), fields);
  if (stack !== undefined) error.stack = stack;
  throw error;
}
