import { rmSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { failureOf } from './failure.js';
import type { Job, Outcome, Result } from './jobs.js';
import { pack } from './pack.js';
import { unpack } from './unpack.js';
import { verify } from './verify.js';

/** Added to the niceness of the process: such a thread gets a fifth of the processor time of one without. */
const NICENESS = 7;

async function resultOf(job: Job): Promise<Result> {
  switch (job.kind) {
    case 'unpack':
      return unpack(job.request);
    case 'pack':
      await pack(job.siteDirectory, job.archiveFile);
      return undefined;
    case 'verify':
      return verify(job);
    case 'remove':
      rmSync(job.directory, { recursive: true, force: true });
      return undefined;
  }
}

async function run(job: Job): Promise<Outcome> {
  try {
    return { result: await resultOf(job) };
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Lowers the priority of this thread, so that pages are served first where both want the same processor: without it,
 * two uploads took two thirds of one. Only on Linux, whose setpriority(2) acts on the calling thread, which its manual
 * lists under "Bugs" and POSIX does not promise; elsewhere it would slow down the whole process.
 */
function giveWayToReaders(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox that does not allow it: then both are alike.
  }
}

giveWayToReaders();
parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await run(job)));
