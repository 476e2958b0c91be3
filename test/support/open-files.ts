import { readdir, readlink } from 'node:fs/promises';

/** The files below a directory that this process has open. Linux only. */
export async function openFilesBelow(directory: string): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd');
  const targets = await Promise.all(numbers.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(`${directory}/`));
}
