import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { quote } from '../../../../domain/index.js';
import { ClientError } from '../client-error.js';
import { localError } from '../local-error.js';

/** Open flags: no symbolic link is followed, and a FIFO is not waited for. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Codes of a file that is gone, or that a link or another kind of file has taken the place of. */
const CHANGED = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR']);

/** What tells a file from others. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>;

export interface SeenFile extends FileIdentity {
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

/** Where an open file lies. Linux knows; elsewhere, its path is looked up once more. */
async function placeOf(handle: FileHandle, path: string): Promise<string | undefined> {
  return readlink(`/proc/self/fd/${handle.fd}`)
    .catch(() => realpath(path))
    .catch(() => undefined);
}

export function changed(path: string, cause?: unknown): ClientError {
  const sentence = `${quote(path)} changed while it was packed; pack it again when nothing writes there`;
  return new ClientError('usage', sentence, { cause });
}
