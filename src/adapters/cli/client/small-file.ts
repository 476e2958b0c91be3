import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Open flags: O_NONBLOCK keeps a FIFO from waiting for a writer, and does not affect regular files. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads the text of an untrusted regular file.
 * @param maxBytes of the file
 * @throws an error with an errno code when it cannot be opened; one without when it is no regular file or too large
 */
export async function readSmallFile(path: string, maxBytes: number): Promise<string> {
  const handle = await open(path, FLAGS);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('is not a regular file');
    // Does not rely on the reported size: it is 0 in /proc, and the file may grow.
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes + 1), { position: 0 });
    if (bytesRead > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
