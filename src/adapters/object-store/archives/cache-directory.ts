import { lstat, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDirectory } from '../../../node/directories.js';

/** Write access for the group and for others. */
const WRITABLE_BY_OTHERS = 0o022;
/** Age of a file that a process has left behind, in milliseconds. */
const LEFT_MS = 24 * 60 * 60 * 1000;

/** The directory for archives. */
export const archivesIn = (directory: string) => join(directory, 'archives');
/** The directory for files that are not complete yet, on the same file system. */
export const incomingIn = (directory: string) => join(directory, 'incoming');

/**
 * Makes the directories of a cache that are missing, with mode 0700. Refuses those in which somebody else could exchange an
 * archive after it was checked: the cache may lie where every user may make directories.
 * @throws Error with a sentence that says what to do; an error of the disk
 */
export async function openCacheDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await assertTrusted(directory);
  for (const below of [archivesIn(directory), incomingIn(directory)]) {
    await makeDirectory(below, 0o700);
    await assertTrusted(below);
  }
}

/** Removes uploads that a process has left behind: those without a change for a day. */
export async function removeOldUploads(directory: string): Promise<void> {
  const incoming = incomingIn(directory);
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const changed = await stat(path).catch(() => undefined);
    if (changed !== undefined && Date.now() - changed.mtimeMs > LEFT_MS) {
      await rm(path, { recursive: true, force: true }).catch(() => {});
    }
  }
}

/** Whether a file is this user's. Where there are no users, every file is. */
export function isOwn({ uid }: { readonly uid: number }): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}

async function assertTrusted(directory: string): Promise<void> {
  // Without a slash at the end, which would follow a link.
  const stats = await lstat(resolve(directory));
  const refuse = (why: string) => {
    throw new Error(`the cache directory ${directory} ${why}`);
  };
  if (stats.isSymbolicLink()) refuse('is a symbolic link; use a directory of your own');
  if (!stats.isDirectory()) refuse('is not a directory; use one of your own');
  if (process.geteuid === undefined) return;
  if (!isOwn(stats)) refuse('belongs to another user; use one of your own');
  if ((stats.mode & WRITABLE_BY_OTHERS) !== 0) {
    refuse(`can be written by other users; run chmod go-w ${directory}, or use another`);
  }
}
