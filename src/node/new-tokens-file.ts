import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory, syncFile } from './directories.js';
import { isDone, NO_LINKS } from './system-errors.js';

/**
 * Makes a tokens file, readable for its owner only. It appears as a whole, except on a file system without hard links, and only where
 * nothing is: of two at once, one makes it.
 * @param tokens entries by the names of their tokens
 * @throws an error with an errno code, `EEXIST` where something is; nothing was changed then
 */
export async function makeTokensFile(
  path: string,
  tokens: Readonly<Record<string, object>>,
  disk = { link },
): Promise<void> {
  const coming = `${path}.${randomUUID()}`;
  try {
    const text = `${JSON.stringify({ tokens }, null, 2)}\n`;
    await writeFile(coming, text, { mode: 0o600, flag: 'wx', flush: true });
    // Like O_EXCL it fails where something is; whoever finds the file has all of it.
    if (!(await isDone(NO_LINKS, disk.link(coming, path)))) {
      await copyFile(coming, path, constants.COPYFILE_EXCL);
      await syncFile({ open }, path);
    }
  } finally {
    await rm(coming, { force: true });
  }
  await syncDirectory({ open }, dirname(path));
}
