import { access, constants, opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Privacy } from '../../application/index.js';
import { refuse } from '../../domain/index.js';
import { unless } from '../../node/system-errors.js';
import { type Disk, makeDirectories, NOTHING_THERE } from './disk.js';
import { Lease } from './housekeeping/lease.js';
import type { Layout } from './layout.js';
import { assertKnownFormat, formatFor, writeFormat } from './layout-format.js';
import type { Tools } from './tools.js';

/**
 * Creates the docs directory and Lectern's own directories in it, where missing.
 * @returns whether the directory can be written; false only if `mayBeReadOnly`
 */
export async function makeUsable(
  disk: Disk,
  layout: Layout,
  mayBeReadOnly: boolean,
  privacy?: Privacy,
): Promise<boolean> {
  const { root } = layout;
  if ((await unless(['ENOENT'], stat(root))) === undefined) {
    await stat(dirname(root));
    await makeDirectories(disk, [root]);
  }
  // Only checks that it can be read; its entries are read later.
  await (await opendir(root)).close();
  await assertKnownFormat(layout, privacy);
  const made = unlessReadOnly(mayBeReadOnly, async () => {
    await access(root, constants.W_OK | constants.X_OK);
    await makeDirectories(disk, layout.directories);
    return true;
  });
  return (await made) ?? false;
}

/**
 * Makes the docs directory usable, and takes a lease on it.
 * @returns undefined when the directory cannot be written and `mayBeReadOnly` is set
 */
export async function prepare(
  disk: Disk,
  layout: Layout,
  mayBeReadOnly: boolean,
  privacy?: Privacy,
): Promise<Lease | undefined> {
  if (!(await makeUsable(disk, layout, mayBeReadOnly, privacy))) return undefined;
  return unlessReadOnly(mayBeReadOnly, () => Lease.take(disk, layout.running));
}

async function unlessReadOnly<T>(mayBeReadOnly: boolean, work: () => Promise<T>): Promise<T | undefined> {
  return mayBeReadOnly ? unless(['EACCES', 'EPERM', 'EROFS'], work()) : work();
}

/**
 * Creates Lectern's own directories again, if the docs directory has come back without them.
 * @throws Refusal `unavailable` when it is on another disk now: what is there is the place where its disk was mounted
 */
export async function recreateDirectories(tools: Tools): Promise<void> {
  const { disk, layout, lease, privacy } = tools;
  if ((await isThere(layout.running)) && (await isThere(layout.format))) return;
  const { dev } = await stat(layout.root, { bigint: true });
  if (lease.device !== undefined && dev !== lease.device) {
    const problem = `${layout.root} is on another disk than at the start, and has no .lectern: mount its disk, or restart the server`;
    throw refuse.storageUnavailable({ cause: new Error(problem) });
  }
  await makeDirectories(disk, layout.directories);
  if (!(await isThere(layout.format))) await writeFormat(tools, formatFor(privacy, undefined));
  await lease.renew();
}

/** Whether the file system takes `.LECTERN` for `.lectern`. */
export async function foldsCase({ root }: Layout): Promise<boolean> {
  return isThere(join(root, '.LECTERN'));
}

async function isThere(path: string): Promise<boolean> {
  return (await unless(NOTHING_THERE, stat(path))) !== undefined;
}
