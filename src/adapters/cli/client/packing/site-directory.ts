import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import {
  counted,
  firstNames,
  isBuildCache,
  isIgnoredName,
  quote,
  SitePath,
} from '../../../../domain/index.js';
import { ClientError, localError } from '../client-error.js';

/** Open flags: no symbolic link is followed, and a FIFO is not waited for. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Codes of a file that is gone, or that a link or another kind of file has taken the place of. */
const CHANGED = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR']);

/** Links that are named. */
export const MAX_NAMED = 3;

/** Tells a file from others. */
type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>;

interface SiteFile extends FileIdentity {
  /** Path in the archive. */
  readonly path: string;
  /** Bytes, as reported before the file is read. */
  readonly size: number;
  readonly modified: Date;
  /** Where a symbolic link leads, as a real path. */
  readonly target?: string;
}

export interface SiteDirectory {
  /** Real path of the directory. */
  readonly root: string;
  readonly files: readonly SiteFile[];
  /** Sentences about entries that were left out, besides links. */
  readonly leftOut: readonly string[];
  /** Paths of symbolic links that were left out, since they lead to no file of the site. */
  readonly skippedLinks: readonly string[];
}

/**
 * Lists the files of a directory recursively, sorted by path. A symbolic link counts if it leads to a file of the same
 * site.
 * @throws ClientError for a path that no server accepts
 */
export async function readSiteDirectory(directory: string): Promise<SiteDirectory> {
  const root = await realpath(directory);
  const files: SiteFile[] = [];
  const leftOut: string[] = [];
  const skippedLinks: string[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (isIgnoredName(entry.name)) continue;
      if (isBuildCache(entry.name)) {
        leftOut.push(`${quote(path)} is a build cache and may contain secrets`);
        continue;
      }
      const problem = path.includes('\ufffd') ? 'has a name that is not UTF-8' : SitePath.problemOf(path);
      if (problem !== undefined) throw new ClientError('usage', `${quote(path)} ${problem}`);
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) files.push(await fileAt(path, join(root, path)));
      else if (!entry.isSymbolicLink()) leftOut.push(`${quote(path)} is neither a file nor a directory`);
      else {
        const target = await targetIn(root, path);
        if (target !== undefined) files.push({ ...(await fileAt(path, target)), target });
        else skippedLinks.push(path);
      }
    }
  };
  await walk('');
  return { root, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), leftOut, skippedLinks };
}

/** Counts the symbolic links that were left out, and names the first. */
export function describeLinks(skipped: readonly string[], max = MAX_NAMED): string {
  const names = firstNames(skipped.slice(0, max).map(quote), skipped.length);
  return `${counted(skipped.length, 'symbolic link')} that ${skipped.length === 1 ? 'points' : 'point'} to no file in the site: ${names}`;
}

interface SeenFile extends FileIdentity {
  /** Path below the site. */
  readonly path: string;
  /** Path as it was typed, for errors of the disk. */
  readonly typedPath: string;
  /** Path of the file without any link in it. */
  readonly realPath: string;
}

/**
 * Opens a file that was looked at before, if it is that very file still, and no part of its path has become a link.
 * @throws ClientError when it is not, or cannot be opened
 */
export async function openUnchanged({ path, typedPath, realPath, dev, ino }: SeenFile): Promise<FileHandle> {
  const handle = await open(realPath, FLAGS).catch((error: NodeJS.ErrnoException) => {
    throw CHANGED.has(error.code ?? '') ? changed(path, error) : localError(typedPath, error);
  });
  try {
    const stats = await handle.stat({ bigint: true });
    const isSame = stats.isFile() && stats.dev === dev && stats.ino === ino;
    if (!isSame || (await placeOf(handle, realPath)) !== realPath) throw changed(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @param realPath of the file, without links in it */
async function fileAt(path: string, realPath: string): Promise<SiteFile> {
  const stats = await lstat(realPath, { bigint: true });
  if (!stats.isFile()) throw changed(path);
  const { size, mtime, dev, ino } = stats;
  return { path, size: Number(size), modified: mtime, dev, ino };
}

/** Returns the real path that a link has, if that is a file of the same site. */
async function targetIn(root: string, path: string): Promise<string | undefined> {
  try {
    const target = await realpath(join(root, path));
    return target.startsWith(root + sep) && (await lstat(target)).isFile() ? target : undefined;
  } catch {
    // A dangling or circular link.
    return undefined;
  }
}

/** Where an open file lies. Linux knows; elsewhere, its path is looked up once more. */
async function placeOf(handle: FileHandle, path: string): Promise<string | undefined> {
  return readlink(`/proc/self/fd/${handle.fd}`)
    .catch(() => realpath(path))
    .catch(() => undefined);
}

function changed(path: string, cause?: unknown): ClientError {
  const sentence = `${quote(path)} changed while it was being packed; try again when nothing is writing to it`;
  return new ClientError('usage', sentence, { cause });
}
