import { workerData } from 'node:worker_threads';
import { refuse } from '../../../domain/refusal.js';

/** Data for a worker at its start. */
export interface WorkerData {
  readonly ending: SharedArrayBuffer;
}

/** Shared flag by which the main thread aborts running jobs: a busy worker receives no messages. */
export class Ending {
  private readonly memory = new SharedArrayBuffer(4);

  /** For each worker. */
  get workerData(): WorkerData {
    return { ending: this.memory };
  }

  announce(): void {
    Atomics.store(new Int32Array(this.memory), 0, 1);
  }
}

/** The flag in a worker; undefined in the main thread. */
const ending = (workerData as Partial<WorkerData> | null | undefined)?.ending;
const flag = ending instanceof SharedArrayBuffer ? new Int32Array(ending) : undefined;

/**
 * Asserts that jobs are not being aborted. Call it before creating a zlib engine: Node 20 and 24 abort the whole process
 * ("close before init") when a thread ends during that.
 * @throws Refusal `unavailable` once `announce` was called
 */
export function assertNotEnding(): void {
  if (flag !== undefined && Atomics.load(flag, 0) === 1) throw refuse.closing();
}
