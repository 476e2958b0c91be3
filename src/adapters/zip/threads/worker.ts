import { constants, getPriority, setPriority } from 'node:os';
import { indexArchive } from '../jobs/index-archive.js';
import { pack as packSite } from '../jobs/pack.js';
import { unpack as unpackArchive } from '../jobs/unpack.js';
import { verify as verifySite } from '../jobs/verify.js';
import { type Failure, failureOf } from './failure-codec.js';

/** What a job came to, as it goes back to the main thread. */
export type Outcome<Result> = { readonly result: Result } | Failure;

// Each export is a job: the pool names one of them, and hands over its request.
export const unpack = job(unpackArchive);
export const index = job(indexArchive);
export const verify = job(verifySite);
export const pack = job(({ siteDirectory, archiveFile }: { siteDirectory: string; archiveFile: string }) =>
  packSite(siteDirectory, archiveFile),
);
/** Does nothing: to have a thread that has loaded this file. */
export const prepare = job((_: undefined) => {});

function job<Request, Result>(work: (request: Request) => Result | Promise<Result>) {
  return async (request: Request): Promise<Outcome<Result>> => {
    try {
      return { result: await work(request) };
    } catch (error) {
      return failureOf(error);
    }
  };
}

/** Added to the niceness of the process: such a thread gets a fifth of the processor time of one without. */
const NICENESS = 7;

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
