import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A FIFO would wait for a writer; to a regular file the flag means nothing. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface SmallFileRules {
  /** Bytes. */
  readonly maxBytes: number;
  /** Whether a link of this name is followed; otherwise it is an error. */
  readonly followLinks: boolean;
}

/**
 * The text of a regular file that others wrote.
 * @throws an error with an errno code when it cannot be opened; one without when it is no regular file or too large
 */
export async function readSmallFile(
  path: string,
  { maxBytes, followLinks }: SmallFileRules,
): Promise<string> {
  const handle = await open(path, followLinks ? FLAGS : FLAGS | (constants.O_NOFOLLOW ?? 0));
  try {
    return await readText(handle, maxBytes);
  } finally {
    await handle.close();
  }
}

async function readText(handle: FileHandle, maxBytes: number): Promise<string> {
  if (!(await handle.stat()).isFile()) throw new Error('is not a regular file');
  // Not by the size that it claims: files below /proc claim none, and this one may be growing.
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes + 1), { position: 0 });
  if (bytesRead > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`);
  return buffer.toString('utf8', 0, bytesRead);
}
