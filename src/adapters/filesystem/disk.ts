import { readlinkSync } from 'node:fs';
import * as promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { storageRefusalOf } from '../../application/index.js';
import { refuse } from '../../domain/index.js';
import { syncDirectory } from '../../node/directories.js';
import { errnoOf, hasErrno, isDone, unless } from '../../node/system-errors.js';

/** Error codes of a path at which nothing exists. */
export const NOTHING_THERE = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'];
/** Error codes of a shortage in the process or machine, which say nothing about the file. */
export const RUN_SHORT = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'];
/** Error codes of a missing path of our own, mostly the docs directory. Codes that sockets share are left out. */
const GONE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK'];
/** Error codes of `readlink` where there is no link. */
const NO_LINK = ['EINVAL', ...NOTHING_THERE];
/** Max. attempts to move something into a directory: another process may remove it meanwhile, still empty. */
const MAX_MOVES = 5;

/**
 * The file system calls that change the disk. All of them go through one object, so that tests can interrupt before or
 * after each.
 */
export type Disk = Pick<
  typeof promises,
  'link' | 'lutimes' | 'mkdir' | 'open' | 'rename' | 'rm' | 'rmdir' | 'symlink' | 'unlink'
>;

export const nodeDisk: Disk = promises;

/** Creates missing directories, parents first, and syncs their parents. */
export async function makeDirectories(disk: Disk, directories: readonly string[]): Promise<void> {
  const changed = new Set<string>();
  for (const directory of directories) {
    if (await isDone(['EEXIST'], disk.mkdir(directory))) changed.add(dirname(directory));
  }
  for (const directory of changed) await syncDirectory(disk, directory);
}

/** Writes and syncs a new file. */
export async function writeNewFile(disk: Disk, file: string, text: string): Promise<void> {
  const handle = await disk.open(file, 'wx');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * The target of a link; undefined when there is no link.
 * @throws an error with an errno code
 */
export async function linkTarget(path: string): Promise<string | undefined> {
  return unless(NO_LINK, promises.readlink(path));
}

/** Sync variant of `linkTarget`, at a tenth of its cost: for each version at start, and for missing pages. */
export function linkTargetSync(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (hasErrno(error, NO_LINK)) return undefined;
    throw error;
  }
}

/** Returns Refusal `insufficient_storage` or `unavailable` for an error of the operating system; any other error as it is. */
export function diskRefusalOf(error: unknown): unknown {
  const isGone = hasErrno(error, GONE);
  return isGone ? refuse.storageUnavailable({ cause: error }) : storageRefusalOf(error);
}

/**
 * Moves a file or directory into a directory, which is created if missing.
 * @returns whether the directory was created
 */
export async function moveInto(disk: Disk, from: string, to: string): Promise<boolean> {
  let isNew = false;
  for (let attempt = 1; ; attempt++) {
    // Not recursive: Node 20 then says ENOENT where the disk is full.
    if (await isDone(['EEXIST'], disk.mkdir(dirname(to)))) isNew = true;
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
  }: {
    readonly disk: Disk;
    readonly layout: { readonly incoming: string };
    readonly lease: { nextName(): string };
  },
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

/** Undo steps of a change: pushed before each step of it, so each must check whether that step was made. */
export type UndoSteps = (() => Promise<unknown>)[];

/**
 * Runs a change; on failure runs its undo steps, last one first. Stops at one that fails: earlier ones may rely on it.
 */
export async function withRollback<T>(work: (undo: UndoSteps) => Promise<T>): Promise<T> {
  const undo: UndoSteps = [];
  try {
    return await work(undo);
  } catch (error) {
    try {
      for (const step of undo.reverse()) await step();
    } catch {
      // The error of the change matters more.
    }
    throw error;
  }
}
