import { createHmac, randomBytes } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import {
  type CountedLog,
  type CountLogsRequest,
  startError,
  type UsagePlace,
} from '../adapters/cli/index.js';
import { FilesystemUsageStore } from '../adapters/filesystem/index.js';
import { PublicAddress } from '../adapters/http/public-address.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { CountLoggedReads, CountReads, type LoggedRequest, type UsageStore } from '../application/index.js';
import { makeDirectory } from '../node/directories.js';
import { storagePlace, warn } from './storage.js';

/** Bytes of a digest: so many that no two of them are equal. */
const DIGEST_BYTES = 16;
/** Interval at which counts are saved, in milliseconds: a crash loses what was counted in it. */
const SAVE_MS = 60_000;

/** A server's counts of reads. */
export interface Usage {
  readonly store: UsageStore;
  readonly countReads: CountReads;
  /** Saves what has been counted, and stops. */
  close(): Promise<void>;
}

/**
 * Opens the counts of a server, and saves new ones from time to time.
 * @throws StartError when a directory of their own cannot be written
 */
export async function openUsage(
  place: UsagePlace,
  report: (message: string, fields: object) => void,
  saveMs = SAVE_MS,
): Promise<Usage> {
  if ('directory' in place) await assertWritable(place.directory);
  const store = usageStoreIn(place, report);
  const writer = `${Date.now().toString(36)}-${randomBytes(5).toString('hex')}`;
  // Never written down: digests are worth nothing once the process has ended.
  const key = randomBytes(32);
  const digest = (text: string) =>
    createHmac('sha256', key).update(text).digest().toString('base64url', 0, DIGEST_BYTES);
  const countReads = new CountReads(store, writer, report, digest);
  const timer = setInterval(() => void countReads.save(), saveMs).unref();
  return {
    store,
    countReads,
    close: () => {
      clearInterval(timer);
      return countReads.save();
    },
  };
}

/** `lectern usage --access-log`: counts what a web server in front has sent by itself. */
export async function* countLogs(request: CountLogsRequest): AsyncGenerator<CountedLog> {
  const { docs: directory, usage, basePath, logs } = request;
  const at = new PublicAddress(basePath);
  const place = storagePlace({ scheme: 'file', at: directory });
  await place.assertThere();
  // Loaded only here: a server reads no logs.
  const { AccessLog } = await import('../adapters/access-log/index.js');
  const archives = new ZipArchives();
  try {
    const parts = { archives, isReadOnly: true, privacy: 'unserved', report: warn } as const;
    const { docs } = await place.open(parts);
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

/** The counts in a directory. */
function usageStoreIn(
  place: UsagePlace,
  report?: (message: string, fields: object) => void,
): FilesystemUsageStore {
  const directory = 'directory' in place ? place.directory : FilesystemUsageStore.directoryIn(place.at);
  return new FilesystemUsageStore(directory, report);
}

/** Makes the directory if only its last part is missing. */
async function assertWritable(directory: string): Promise<void> {
  try {
    await makeDirectory(directory);
    // The slash makes a file fail: it is no directory.
    await access(`${directory}/`, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw startError(`the directory of --usage-dir ${directory}`, error);
  }
}

async function* within(
  at: PublicAddress,
  requests: AsyncIterable<LoggedRequest>,
): AsyncGenerator<LoggedRequest> {
  for await (const request of requests) yield { ...request, path: at.within(request.path) };
}
