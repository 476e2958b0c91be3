import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unless } from '../../../node/system-errors.js';
import type { UndoSteps } from '../disk.js';
import type { Tools } from '../tools.js';

/**
 * Moves a directory or file away from the path of a pointer. No system call replaces a directory by a link: it takes
 * two steps, and recovery after a crash in between undoes the first.
 */
export async function displace(
  { disk, layout, lease }: Tools,
  directoryName: string,
  undo: UndoSteps,
): Promise<void> {
  const pointer = layout.pointer(directoryName);
  const displaced = layout.displacedAs(lease.nextName(), directoryName);
  undo.push(() => unless(['ENOENT'], disk.rename(displaced, pointer)));
  await unless(['ENOENT'], disk.rename(pointer, displaced));
}

/**
 * Keeps or discards displaced directories while a pointer is in their place. Once the pointer is deleted, recovery would
 * take them for an interrupted replacement, and restore them.
 */
export async function clearDisplaced(tools: Tools, directoryName: string): Promise<void> {
  const { disk, removed, layout, lease, unused } = tools;
  for (const name of (await unless(['ENOENT'], readdir(layout.displaced))) ?? []) {
    if (layout.versionOfDisplaced(name) !== directoryName) continue;
    if (removed.keeps({ directoryName }, true)) await keepReplaced(tools, name);
    else {
      const trash = layout.trashed(lease.nextName());
      await unless(['ENOENT'], disk.rename(join(layout.displaced, name), trash));
      unused.path(trash);
    }
  }
}

/** Keeps a displaced directory, which an upload has replaced. */
export async function keepReplaced({ disk, removed, layout }: Tools, displaced: string): Promise<void> {
  const place = await removed.placeFor(layout.versionOfDisplaced(displaced), true);
  await unless(['ENOENT'], disk.rename(join(layout.displaced, displaced), place));
}
