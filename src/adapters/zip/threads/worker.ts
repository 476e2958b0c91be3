import { constants, getPriority, setPriority } from 'node:os';
import { indexArchive } from '../jobs/index-archive.js';
import { pack as packSite } from '../jobs/pack.js';
import { unpack as unpackArchive } from '../jobs/unpack.js';
import { verify as verifySite } from '../jobs/verify.js';
import { type Failure, failureOf } from './failure-codec.js';

/** Result or error of a job, as sent to the main thread. */
export type Outcome<Result> = { readonly result: Result } | Failure;

// Each export is a job, which the pool calls by name with a request.
export const unpack = job(unpackArchive);
export const index = job(indexArchive);
export const verify = job(verifySite);
export const pack = job(({ siteDirectory, archiveFile }: { siteDirectory: string; archiveFile: string }) =>
  packSite(siteDirectory, archiveFile),
);
/** Does nothing, but leaves a thread that has loaded this file. */
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

/** Niceness added to that of the process: the thread gets a fifth of the processor time of others. */
const NICENESS = 7;

/**
 * Lowers the priority of this thread, so that pages are served first on a shared processor: without it, two uploads took
 * two thirds of one. Only on Linux, where setpriority(2) acts on the calling thread (listed under "Bugs" in its manual,
 * and not promised by POSIX); elsewhere it would slow down the whole process.
 */
function giveWayToReaders(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox does not allow it; the priority stays.
  }
}

giveWayToReaders();
