import * as promises from 'node:fs/promises';
import { dirname } from 'node:path';
import { storageRefusalOf } from '../../application/index.js';
import { refuse } from '../../domain/index.js';

/**
 * The calls with which this adapter changes the disk. Everything goes through one object, so that a test can
 * stop the world before or after any of them.
 */
export type Disk = Pick<
  typeof promises,
  'link' | 'lutimes' | 'mkdir' | 'open' | 'rename' | 'rm' | 'rmdir' | 'symlink' | 'unlink'
>;

export const nodeDisk: Disk = promises;

/** Makes the entries of a directory survive a power cut. */
export async function syncDirectory(disk: Disk, directory: string): Promise<void> {
  const handle = await disk.open(directory, 'r');
  try {
    // Some network file systems can't sync a directory, and say so: there is nothing more to be had from them.
    await unless(['EINVAL', 'ENOTSUP'], handle.sync());
  } finally {
    await handle.close();
  }
}

/** Makes directories that are missing, parents first, and makes them survive a power cut. */
export async function makeDirectories(disk: Disk, directories: readonly string[]): Promise<void> {
  const changed = new Set<string>();
  for (const directory of directories) {
    const made = await unless(
      ['EEXIST'],
      disk.mkdir(directory).then(() => true),
    );
    if (made) changed.add(dirname(directory));
  }
  for (const directory of changed) await syncDirectory(disk, directory);
}

/** Writes a new file and makes its bytes survive a power cut. */
export async function writeNewFile(disk: Disk, file: string, text: string): Promise<void> {
  const handle = await disk.open(file, 'wx');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Codes that mean "there is nothing at this path". */
export const NOTHING_THERE = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'];

/** The whole process or machine has run short of something: says nothing of the file that was asked for. */
export const RUN_SHORT = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'];

/** Something of our own has gone: the docs directory, mostly. Codes that sockets have too are left out. */
const GONE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK'];

/** The code of an error that the operating system gave: `ENOENT`, `EEXIST`. */
export function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** The result of `work`; undefined when it fails with one of these codes. */
export async function unless<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codes.includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * The result of `work`.
 * @throws Refusal `insufficient_storage` or `unavailable` in place of what the operating system says
 */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isGone = GONE.includes(errnoOf(error) ?? '');
    throw storageRefusalOf(error) ?? (isGone ? refuse.storageUnavailable({ cause: error }) : error);
  }
}
