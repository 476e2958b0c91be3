import { randomBytes } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { startError, type UsagePlace } from '../adapters/cli/index.js';
import { FilesystemUsageStore } from '../adapters/filesystem/index.js';
import { CountReads, type UsageStore } from '../application/index.js';
import { DAY_MS, dayAfter, dayOf, USAGE_KEPT_DAYS } from '../domain/index.js';
import { makeDirectory } from '../node/make-directory.js';
import type { Chore } from './housekeeping.js';

/** Interval at which counts are saved, in milliseconds: a crash loses what was counted in it. */
const SAVE_MS = 60_000;

/** What a server counts of its readers. */
export interface Usage {
  readonly store: UsageStore;
  readonly countReads: CountReads;
  /** Saves what has been counted, and stops. */
  close(): Promise<void>;
}

/** The counts in a directory. */
export function usageStoreIn(
  place: UsagePlace,
  report?: (message: string, fields: object) => void,
): FilesystemUsageStore {
  const directory = 'docs' in place ? FilesystemUsageStore.directoryIn(place.docs) : place.directory;
  return new FilesystemUsageStore(directory, report);
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
  const countReads = new CountReads(store, writer, report);
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

/** Makes the directory if only its last part is missing. */
async function assertWritable(directory: string): Promise<void> {
  try {
    await makeDirectory(directory);
    // With a slash, so that a file is no directory.
    await access(`${directory}/`, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw startError(`the directory of --usage-dir ${directory}`, error);
  }
}

/** Removes counts that are older than they are kept, once a day. */
export function oldUsageChore({ store }: Pick<Usage, 'store'>): Chore {
  return {
    name: 'removing old counts of reads',
    everyMs: DAY_MS,
    run: async (now) => {
      await store.removeBefore(dayAfter(dayOf(now), 1 - USAGE_KEPT_DAYS));
      return undefined;
    },
  };
}
