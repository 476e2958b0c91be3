import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unless } from '../disk.js';
import type { Rollback } from '../publishing/rollback.js';
import type { Tools } from '../tools.js';

/**
 * Moves what stands in a pointer's place out of the way. No system call puts a link in the place of a directory: that
 * takes two steps, and a start after a crash in between undoes the first.
 */
export async function displace(tools: Tools, directoryName: string, rollback: Rollback): Promise<void> {
  const { disk, layout, lease } = tools;
  const pointer = layout.pointer(directoryName);
  const displaced = layout.displacedAs(lease.nextName(), directoryName);
  rollback.onRollback(() => unless(['ENOENT'], disk.rename(displaced, pointer)));
  await unless(['ENOENT'], disk.rename(pointer, displaced));
  rollback.discardLater(join(layout.built, directoryName));
}

/**
 * Throws away what was displaced, while a pointer stands in its place: once that is deleted, a start would take what it
 * finds for a replacement that was interrupted, and bring back what had been replaced long ago.
 */
export async function discardDisplaced(tools: Tools, directoryName: string): Promise<void> {
  const { disk, layout, lease, retirement } = tools;
  for (const name of (await unless(['ENOENT'], readdir(layout.displaced))) ?? []) {
    if (layout.versionOfDisplaced(name) !== directoryName) continue;
    const trash = layout.trashed(lease.nextName());
    await unless(['ENOENT'], disk.rename(join(layout.displaced, name), trash));
    retirement.path(trash);
  }
}
