import { type Outcome, outcomeOf } from './outcome.js';

/** Message to a thread: what to do, and a number that is not 0 once nobody waits for it. */
export interface Task<Request> {
  readonly request: Request;
  readonly abandoned: Int32Array;
}

/** Work that a `ThreadPool` can give to a thread. */
export type Job<Request, Result> = (task: Task<Request>) => Promise<Outcome<Result>>;

/** Of the job that runs in this thread. A busy thread receives no messages, but shares this memory. */
let abandoned: Int32Array | undefined;

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
