import { Refusal } from '../../domain/refusal/refusal.js';

/** Cancellation flag of the job that runs in this thread, in shared memory: a busy thread receives no messages. */
let abandoned: Int32Array | undefined;

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

/** Message to a thread: what to do, and a number that is not 0 once nobody waits for it. */
export interface Task<Request> {
  readonly request: Request;
  readonly abandoned: Int32Array;
}

/** Work that a `ThreadPool` can give to a thread. */
export type Job<Request, Result> = (task: Task<Request>) => Promise<Outcome<Result>>;

/** Makes a job, for the export of a program whose threads do one job at a time. */
export function job<Request, Result>(
  work: (request: Request) => Result | Promise<Result>,
): Job<Request, Result> {
  return (task) => {
    abandoned = task.abandoned;
    return outcomeOf(() => work(task.request));
  };
}

/** Whether the job that runs in this thread should end, since nobody waits for it. False in the main thread. */
export function isAbandoned(): boolean {
  return abandoned !== undefined && Atomics.load(abandoned, 0) !== 0;
}
