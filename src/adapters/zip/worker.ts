import { rmSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { failureOf } from './failure.js';
import type { Job, Outcome, Result } from './jobs.js';
import { pack } from './pack.js';
import { unpack } from './unpack.js';
import { verify } from './verify.js';

/** A fifth of the share of a thread that has 0. */
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

/** Readers come first where both want the same processor: without this, two uploads took two thirds of it. */
function giveWayToReaders(): void {
  // Elsewhere the call is for the whole process. On Linux it is for the calling thread: setpriority(2), "Bugs".
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox that does not allow it: then both are alike.
  }
}

giveWayToReaders();
parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await run(job)));
