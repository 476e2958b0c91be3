import { AccessLog } from '../adapters/access-log/index.js';
import { type CountedLog, type CountLogsRequest, startError } from '../adapters/cli/index.js';
import { PublicAddress } from '../adapters/http/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { CountLoggedReads, type LoggedRequest } from '../application/index.js';
import { docsDirectoryFacts, storagePlace, warn } from './storage.js';
import { usageStoreIn } from './usage.js';

/** `lectern usage --access-log`: counts what a web server in front has sent by itself. */
export async function* countLogs(request: CountLogsRequest): AsyncGenerator<CountedLog> {
  const { docs: directory, usage, basePath, logs } = request;
  const at = new PublicAddress(basePath);
  await docsDirectoryFacts(directory);
  const archives = new ZipArchives();
  try {
    const parts = { archives, isReadOnly: true, privacy: 'unserved', report: warn } as const;
    const { docs } = await storagePlace({ docs: directory }).open(parts);
    try {
      const count = new CountLoggedReads(docs, usageStoreIn(usage));
      for (const name of logs) {
        const log = new AccessLog(name);
        try {
          const id = await log.identify();
          const counted =
            id === undefined
              ? { reads: 0, misses: 0, others: 0 }
              : await count.execute(within(at, log.requests()), id);
          yield { name, ...counted, unreadable: log.unreadable };
        } catch (error) {
          throw startError(`the access log ${name}`, error);
        }
      }
    } finally {
      await docs.close();
    }
  } finally {
    await archives.close();
  }
}

async function* within(
  at: PublicAddress,
  requests: AsyncIterable<LoggedRequest>,
): AsyncGenerator<LoggedRequest> {
  for await (const request of requests) yield { ...request, path: at.within(request.path) };
}
