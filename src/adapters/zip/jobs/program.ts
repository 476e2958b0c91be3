import { giveWayInThread } from '../../../node/background/give-way.js';
import { job } from '../../../node/background/job.js';
import { indexArchive } from './index-archive.js';
import { pack as packSite } from './pack.js';
import { unpack as unpackArchive } from './unpack.js';
import { verify as verifySite } from './verify.js';

// Each export is a job.
export const unpack = job(unpackArchive);
export const index = job(indexArchive);
export const verify = job(verifySite);
export const pack = job(({ siteDirectory, archiveFile }: { siteDirectory: string; archiveFile: string }) =>
  packSite(siteDirectory, archiveFile),
);
/** Does nothing, but leaves a thread that has loaded this file. */
export const prepare = job((_: undefined) => {});

giveWayInThread();
