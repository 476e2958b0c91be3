import { Worker } from 'node:worker_threads';
import type { Ending } from './ending.js';
import { type Job, type Outcome, type Result, resultOf } from './jobs.js';

const isSource = import.meta.url.endsWith('.ts');
const entry = new URL(isSource ? './worker.ts' : './worker.js', import.meta.url);

/**
 * Inflated files die young: a larger nursery would only keep more of them, at no gain in speed. Their memory lies
 * outside of the heap and counts for nothing there, so only a small nursery is cleared often enough.
 */
const RESOURCES = { maxYoungGenerationSizeMb: 1 };

/** Sources run under tsx, which hooks only the main thread of Node 20: the worker has to register it for itself. */
const sourceOptions = () => ({
  execArgv: [
    '--import',
    `data:text/javascript,import{register}from"${import.meta.resolve('tsx/esm/api')}";register()`,
  ],
});

/** One thread that does one job at a time. While idle it does not keep the process alive. */
export class WorkerThread {
  private readonly worker: Worker;
  private hasEnded = false;

  /** @param ending how it learns, while it is at work, that the process is about to end */
  constructor(ending: Ending) {
    this.worker = new Worker(entry, {
      workerData: ending.workerData,
      resourceLimits: RESOURCES,
      ...(isSource ? sourceOptions() : {}),
    });
    const end = () => {
      this.hasEnded = true;
    };
    // A failure between jobs concerns nobody; during one, `run` listens as well. The exit comes a while after it.
    this.worker.once('exit', end).on('error', end);
    this.worker.unref();
  }

  get isUsable(): boolean {
    return !this.hasEnded;
  }

  /** @throws what the job threw; an Error when the thread ended before it was done, out of memory say. */
  async run(job: Job): Promise<Result> {
    this.worker.ref();
    try {
      return resultOf(await this.outcomeOf(job));
    } finally {
      this.worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private outcomeOf(job: Job): Promise<Outcome> {
    const { worker } = this;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        finish();
      };
      const onMessage = (outcome: Outcome) => settle(() => resolve(outcome));
      const onError = (cause: unknown) =>
        settle(() => reject(new Error('The archive worker failed', { cause })));
      const onExit = () =>
        settle(() => reject(new Error('The archive worker ended before its job was done')));
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      worker.postMessage(job);
    });
  }
}
