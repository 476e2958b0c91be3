import { workerData } from 'node:worker_threads';
import { refuse } from '../../domain/refusal.js';

/** The word from the main thread, that threads at work can't receive as a message, that it is about to end. */
export class Ending {
  readonly memory = new SharedArrayBuffer(4);
  private readonly flag = new Int32Array(this.memory);

  announce(): void {
    Atomics.store(this.flag, 0, 1);
  }
}

/** Of the thread that this is: a worker is given the memory of an `Ending`. */
const flag = workerData instanceof SharedArrayBuffer ? new Int32Array(workerData) : undefined;

/**
 * To be asked before an engine of zlib is made: Node 20 and 24 abort the whole process ("close before init") when a
 * thread is ended while it makes one.
 * @throws Refusal `unavailable` once the end was announced
 */
export function assertNotEnding(): void {
  if (flag !== undefined && Atomics.load(flag, 0) === 1) throw refuse.shuttingDown();
}
