import type { Stats } from 'node:fs';
import { constants, type FileHandle, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigFileError } from '../../node/config-file.js';
import { syncDirectory } from '../../node/sync-file.js';
import { errnoOf } from '../../node/system-errors.js';
import { parseTokensFile } from './tokens-file.js';

/**
 * Changes a tokens file as a whole or not at all: a new file with the same owner and mode takes its place. Where the path
 * is a link, the file that it leads to is changed. Two changes at once exclude one another.
 * @param edit gets the text of the file, and returns the new one
 * @throws ConfigFileError when the file is invalid, or would be afterwards; EditedElsewhere; what `edit` throws; an error with
 *   an errno code
 */
export async function editTokensFile(path: string, edit: (text: string) => string): Promise<void> {
  const file = await realpath(path);
  const coming = `${file}.new`;
  // First, since what was read before may not be what another command has left. Whoever may read the file later must not read
  // its new text earlier.
  const written = await open(coming, 'wx', 0o600).catch((error: unknown) => {
    throw errnoOf(error) === 'EEXIST' ? new EditedElsewhere(coming) : error;
  });
  try {
    await write(written, edited(file, edit));
    await rename(coming, file);
  } catch (error) {
    await rm(coming, { force: true });
    throw error;
  }
  await syncDirectory({ open }, dirname(file));
}

/** Another command changes the file, or one was killed meanwhile. */
export class EditedElsewhere extends Error {
  override readonly name = 'EditedElsewhere';

  constructor(coming: string) {
    super(
      `another command changes it, and nothing was changed; if there is none, one was killed: remove ${coming} and try again`,
    );
  }
}

/** A new text, with the mode and the owner that it has to have. */
interface Edited {
  readonly text: string;
  readonly stats: Pick<Stats, 'mode' | 'uid' | 'gid'>;
}

async function edited(file: string, edit: (text: string) => string): Promise<Edited> {
  // A pipe without a writer would be waited for.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new ConfigFileError(['the file: not a regular file, so it cannot be changed']);
    const before = await handle.readFile('utf8');
    parseTokensFile(before);
    const text = edit(before);
    parseTokensFile(text);
    return { text, stats };
  } finally {
    await handle.close();
  }
}

async function write(handle: FileHandle, changed: Promise<Edited>): Promise<void> {
  try {
    const { text, stats } = await changed;
    const own = await handle.stat();
    // The server has to be able to read it still, also when root has changed it.
    if (own.uid !== stats.uid || own.gid !== stats.gid) await handle.chown(stats.uid, stats.gid);
    await handle.chmod(stats.mode & 0o7777);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
