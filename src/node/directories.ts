import { mkdir, type open } from 'node:fs/promises';
import { unless } from './system-errors.js';

/**
 * Makes a directory, if nothing is there. Never makes its parents: where they are missing, as with an unmounted disk, they must
 * not be made anew.
 */
export async function makeDirectory(directory: string, mode?: number): Promise<void> {
  await unless(['EEXIST'], mkdir(directory, mode === undefined ? {} : { mode }));
}

interface Opening {
  readonly open: typeof open;
}

/** Syncs a directory, so that its entries survive a power cut. */
export async function syncDirectory(disk: Opening, directory: string): Promise<void> {
  // Some network file systems cannot sync a directory, and offer no alternative.
  await syncFile(disk, directory, ['EINVAL', 'ENOTSUP']);
}

/**
 * Syncs a file, so that its bytes survive a power cut.
 * @param ignored error codes of the sync that are ignored
 */
export async function syncFile(disk: Opening, file: string, ignored: readonly string[] = []): Promise<void> {
  const handle = await disk.open(file, 'r');
  try {
    await unless(ignored, handle.sync());
  } finally {
    await handle.close();
  }
}
