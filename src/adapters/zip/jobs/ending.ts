import { workerData } from 'node:worker_threads';
import { refuse } from '../../../domain/refusal.js';

/** What a worker is started with. */
export interface WorkerData {
  readonly ending: SharedArrayBuffer;
}

/** The word from the main thread that it is about to end: a thread at work receives no messages. */
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

/** Of the thread that this is, if it is a worker of ours. */
const ending = (workerData as Partial<WorkerData> | null | undefined)?.ending;
const flag = ending instanceof SharedArrayBuffer ? new Int32Array(ending) : undefined;

/**
 * To be asked before an engine of zlib is made: Node 20 and 24 abort the whole process ("close before init") when a
 * thread is ended while it makes one.
 * @throws Refusal `unavailable` once the end was announced
 */
export function assertNotEnding(): void {
  if (flag !== undefined && Atomics.load(flag, 0) === 1) throw refuse.closing();
}
