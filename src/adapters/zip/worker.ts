import { parentPort } from 'node:worker_threads';
import { failureOf, type Job, type Outcome, type Result } from './jobs.js';
import { pack } from './pack.js';
import { unpack } from './unpack.js';
import { verify } from './verify.js';

async function resultOf(job: Job): Promise<Result> {
  switch (job.kind) {
    case 'unpack':
      return unpack(job.request);
    case 'pack':
      await pack(job.siteDirectory, job.archiveFile);
      return undefined;
    case 'verify':
      return verify(job.archiveFile, job.siteDirectory, job.most);
  }
}

async function run(job: Job): Promise<Outcome> {
  try {
    return { result: await resultOf(job) };
  } catch (error) {
    return failureOf(error);
  }
}

parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await run(job)));
