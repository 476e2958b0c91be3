import { randomUUID } from 'node:crypto';
import { link, open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './directories.js';

/**
 * Makes a tokens file, readable for its owner only. It appears as a whole, and only where nothing is: of two at once, one makes it.
 * @param tokens entries by the names of their tokens
 * @throws an error with an errno code, `EEXIST` where something is; nothing was changed then
 */
export async function makeTokensFile(path: string, tokens: Readonly<Record<string, object>>): Promise<void> {
  const coming = `${path}.${randomUUID()}`;
  try {
    const text = `${JSON.stringify({ tokens }, null, 2)}\n`;
    await writeFile(coming, text, { mode: 0o600, flag: 'wx', flush: true });
    // Like O_EXCL it fails where something is; whoever finds the file has all of it.
    await link(coming, path);
  } finally {
    await rm(coming, { force: true });
  }
  await syncDirectory({ open }, dirname(path));
}
