import { dirname, join } from 'node:path';
import { errnoOf, unless } from '../../node/system-errors.js';
import type { Disk } from './disk.js';
import type { Lease } from './housekeeping/lease.js';
import type { Layout } from './layout.js';

/** Max. attempts to move something into a directory: another process may remove it meanwhile, still empty. */
const MAX_MOVES = 5;

/**
 * Moves a file or directory into a directory, which is created if missing.
 * @returns whether the directory was created
 */
export async function moveInto(disk: Disk, from: string, to: string): Promise<boolean> {
  let isNew = false;
  for (let attempt = 1; ; attempt++) {
    // Not recursive: Node 20 then says ENOENT where the disk is full.
    const made = disk.mkdir(dirname(to)).then(() => true);
    if ((await unless(['EEXIST'], made)) === true) isNew = true;
    try {
      await disk.rename(from, to);
      return isNew;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' && attempt < MAX_MOVES) continue;
      if (isNew) await disk.rmdir(dirname(to)).catch(() => {});
      throw error;
    }
  }
}

/**
 * Writes a file in `incoming`, and moves it into place.
 * @returns whether the directory around that place was created
 */
export async function writeAndMove(
  {
    disk,
    layout,
    lease,
  }: { readonly disk: Disk; readonly layout: Layout; readonly lease: Pick<Lease, 'nextName'> },
  file: string,
  write: (coming: string) => Promise<void>,
): Promise<boolean> {
  const coming = join(layout.incoming, `${lease.nextName()}.coming`);
  try {
    await write(coming);
    return await moveInto(disk, coming, file);
  } catch (error) {
    await disk.rm(coming, { force: true }).catch(() => {});
    throw error;
  }
}
