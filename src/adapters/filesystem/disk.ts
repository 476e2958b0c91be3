import * as promises from 'node:fs/promises';

/**
 * The calls with which this adapter changes the disk. Everything goes through one object, so that a test can
 * stop the world before or after any of them.
 */
export type Disk = Pick<
  typeof promises,
  'link' | 'mkdir' | 'open' | 'rename' | 'rm' | 'rmdir' | 'symlink' | 'unlink' | 'utimes'
>;

export const nodeDisk: Disk = promises;

/** Makes the entries of a directory survive a power cut. */
export async function syncDirectory(disk: Disk, directory: string): Promise<void> {
  const handle = await disk.open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
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

/** The code of an error that the operating system gave: `ENOENT`, `EEXIST`. */
export function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** What `work` gives, or undefined when it fails with one of these codes. */
export async function unless<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codes.includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
