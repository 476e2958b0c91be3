import { access, constants, opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Disk, makeDirectories, NOTHING_THERE, unless } from './disk.js';
import { Lease } from './housekeeping/lease.js';
import type { Layout } from './layout.js';
import { assertKnownFormat } from './layout-format.js';
import type { Tools } from './tools.js';

/**
 * Makes the docs directory and our own ones in it, where they are missing.
 * @returns whether the directory can be written; false only when it need not
 */
export async function makeUsable(disk: Disk, layout: Layout, mayBeReadOnly: boolean): Promise<boolean> {
  const { root } = layout;
  if ((await unless(['ENOENT'], stat(root))) === undefined) {
    await stat(dirname(root));
    await makeDirectories(disk, [root]);
  }
  // It can be read; what is in it is read later, piece by piece.
  await (await opendir(root)).close();
  await assertKnownFormat(layout);
  const made = unlessReadOnly(mayBeReadOnly, async () => {
    await access(root, constants.W_OK | constants.X_OK);
    await makeDirectories(disk, layout.directories);
    return true;
  });
  return (await made) ?? false;
}

/**
 * Makes the docs directory usable, and takes a lease on it.
 * @returns a lease when the directory can be written; undefined when it can't, and need not
 */
export async function prepare(
  disk: Disk,
  layout: Layout,
  mayBeReadOnly: boolean,
): Promise<Lease | undefined> {
  if (!(await makeUsable(disk, layout, mayBeReadOnly))) return undefined;
  return unlessReadOnly(mayBeReadOnly, () => Lease.take(disk, layout.running));
}

async function unlessReadOnly<T>(mayBeReadOnly: boolean, work: () => Promise<T>): Promise<T | undefined> {
  return mayBeReadOnly ? unless(['EACCES', 'EPERM', 'EROFS'], work()) : work();
}

/** Our own directories may have gone with the docs directory, which is back without them. */
export async function bringBack({ disk, layout, lease }: Tools): Promise<void> {
  if ((await unless(NOTHING_THERE, stat(layout.running))) !== undefined) return;
  await stat(layout.root);
  await makeDirectories(disk, layout.directories);
  await lease.renew();
}

/** Whether the file system takes `.LECTERN` for `.lectern`. */
export async function foldsCase({ root }: Layout): Promise<boolean> {
  return (await unless(NOTHING_THERE, stat(join(root, '.LECTERN')))) !== undefined;
}
