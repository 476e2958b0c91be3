import { workerData } from 'node:worker_threads';

export * from './pool-jobs.js';

export interface StartData {
  /** Number of threads that may still start; negative once one has failed to. */
  readonly starts: Int32Array;
  readonly fails: 'throws' | 'exits';
}

const { starts, fails } = workerData as StartData;
if (Atomics.sub(starts, 0, 1) <= 0) {
  if (fails === 'exits') process.exit(5);
  throw new Error('This thread cannot start');
}
