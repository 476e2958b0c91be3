import { lifetimeOfDays } from '../../domain/index.js';
import { type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS } from '../ports/archives.js';
import type { LocalStore } from '../ports/store-abilities.js';

/** Limits on one upload. */
export interface UploadLimits extends ArchiveLimits {
  /** Max. bytes of the uploaded archive. */
  readonly maxUploadBytes: number;
  /** Min. bytes that an upload must leave free on the disk; 0 turns this limit off. */
  readonly minFreeBytes: number;
}

export const DEFAULT_UPLOAD_LIMITS: UploadLimits = {
  ...DEFAULT_ARCHIVE_LIMITS,
  maxUploadBytes: 512 * 1024 * 1024,
  // Reserve for the log and other programs on the same disk.
  minFreeBytes: 256 * 1024 * 1024,
};

/** Lifetime of a preview whose upload names none, in milliseconds. */
export const DEFAULT_PREVIEW_MS = lifetimeOfDays(30);

/** Returns the bytes that may be written to a disk; undefined when there is no limit or the free space is unknown. */
export async function freeRoom(
  disk: Pick<LocalStore, 'freeBytes'> | undefined,
  minFreeBytes: number,
): Promise<number | undefined> {
  const free = minFreeBytes === 0 ? undefined : await disk?.freeBytes();
  return free === undefined ? undefined : Math.max(0, free - minFreeBytes);
}
